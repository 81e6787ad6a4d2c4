import { isFiltered, type ListQuery, pageOf } from '../../../db/list.ts';
import type { Reader } from '../../../kernel/reader.ts';
import { pick } from '../../../kernel/record-fields.ts';
import type { Page, Sort, Window } from '../../../kernel/window.ts';
import { literal } from '../../../platform/search/grams.ts';
import { emailKey } from '../../email-key.ts';
import { type Recipient, RecipientModel, type RecipientStatus, recipientStatuses } from './record.ts';

const shown = [
  'id',
  'campaign_id',
  'contact_id',
  'email',
  'status',
  'reason',
  'attempts',
  'smtp_response',
  'message_id',
  'next_attempt_at',
  'sent_at',
  'complained_at',
  'unsubscribed_at',
  'tracked',
  'opened_at',
  'clicked_at',
] as const;

const columns = [...shown, 'bounce_class', 'bounce_status', 'bounce_diagnostic', 'bounce_at'] as const;

type RecipientRow = Pick<Recipient, (typeof shown)[number]> & {
  bounce_class: 'hard' | 'soft' | null;
  bounce_status: string | null;
  bounce_diagnostic: string | null;
  bounce_at: string | null;
};

export type RecipientFilters = {
  status?: readonly RecipientStatus[] | undefined;
  reason?: string | undefined;
  bounced?: boolean | undefined;
  opened?: boolean | undefined;
  clicked?: boolean | undefined;
  search?: string | undefined;
};

const table = RecipientModel.tableName;

/** What says of a recipient that it bounced, was opened, was clicked. */
const times = { bounced: 'bounce_at', opened: 'opened_at', clicked: 'clicked_at' } as const;

/** A window of the recipients of a campaign that the filters leave. Errors: `invalid_cursor`. */
export async function recipientPage(
  reader: Reader,
  campaign_id: string,
  filters: RecipientFilters,
  window: Window,
): Promise<Page<Recipient>> {
  const page = await pageOf<RecipientRow>(reader, recipientList(reader, campaign_id, filters, window));
  return { ...page, rows: page.rows.map(recipientOf) };
}

/** The recipients of a campaign that the filters leave; the highest number first unless said. */
export function recipientList(
  reader: Reader,
  campaign_id: string,
  filters: RecipientFilters,
  window: Window,
): ListQuery {
  const { status, reason, search } = filters;
  const query = RecipientModel.table(reader).where(`${table}.campaign_id`, campaign_id);
  if (status?.length === 1) query.where(`${table}.status`, status[0]!);
  else if (status) query.whereIn(`${table}.status`, [...status]);
  if (reason !== undefined) query.where(`${table}.reason`, reason);
  for (const [name, column] of Object.entries(times)) {
    const isAsked = filters[name as keyof typeof times];
    if (isAsked === true) query.whereNotNull(`${table}.${column}`);
    if (isAsked === false) query.whereNull(`${table}.${column}`);
  }
  if (search !== undefined) query.whereLike(`${table}.email_key`, `${literal(emailKey(search))}%`);
  const { status: _, ...others } = filters;
  return {
    query,
    table,
    columns,
    prefix: 'mrcp',
    sorts: { number: 'number' },
    window: { ...window, sort: byNumber(window.sort) },
    is_filtered: isFiltered(filters),
    total: isFiltered(others) ? undefined : () => countedRecipients(reader, campaign_id, status),
  };
}

/** Recipients of a campaign are made in one moment: their numbers tell their order, the newest first unless said. */
function byNumber(sort: readonly Sort[]): Sort[] {
  if (sort.length === 0) return [{ field: 'number', direction: 'desc' }];
  return sort.map(({ field, direction }) => ({
    field: field === 'created_at' ? 'number' : field,
    direction,
  }));
}

/** How many recipients a campaign has in those states, as it counts them itself. */
async function countedRecipients(
  { connection, organization_id }: Reader,
  campaign_id: string,
  statuses: readonly RecipientStatus[] = recipientStatuses,
): Promise<number> {
  const names = [...new Set(statuses)].map((status) => `sum(${status})`);
  const [row] = await connection.query<{ total: number }>(
    `SELECT coalesce(${names.join(' + ')}, 0)::integer AS total
       FROM mail_campaign_counts WHERE organization_id = $1 AND campaign_id = $2`,
    [organization_id, campaign_id],
  );
  return row!.total;
}

function recipientOf(row: RecipientRow): Recipient {
  const { bounce_class, bounce_status, bounce_diagnostic, bounce_at } = row;
  const bounce =
    bounce_class === null || bounce_at === null
      ? null
      : { class: bounce_class, status: bounce_status, diagnostic: bounce_diagnostic, at: bounce_at };
  return { object: 'mail.recipient', ...pick(row, shown), bounce };
}
