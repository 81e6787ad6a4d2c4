import { z } from 'zod';
import type { Reader } from '../../kernel/reader.ts';
import { day, id } from '../../kernel/schema.ts';
import { receivedContext } from '../context.ts';
import { UNPAID } from '../documents/open.ts';

/** Groups that an answer has, and IDs that a group names; a transfer file takes as many. */
export const MOST_DUE = 1_000;

const yen = (example: number) => z.int().meta({ examples: [example] });

/** What is approved and not paid, by day or by company. Amounts are whole yen. */
export const DueInvoices = z
  .strictObject({
    groups: z.array(
      z.strictObject({
        due_date: day().nullable().optional().describe('Where groups are days; null of those without one.'),
        company_id: id('comp')
          .nullable()
          .optional()
          .describe('Where groups are companies; null of senders that are none.')
          .meta({ examples: [null] }),
        count: yen(2),
        balance: yen(169_790),
        overdue_balance: yen(0).describe('Of those whose day has passed.'),
        ids: z
          .array(id('rinv'))
          .describe(`By day; ${MOST_DUE} at most, while \`count\` and the sums are of all.`),
      }),
    ),
    balance: yen(169_790).describe('Of all, also of what `groups` has no room for.'),
    has_more: z.boolean().describe(`Whether there are more than ${MOST_DUE} groups.`),
  })
  .meta({ id: 'ReceivedInvoicesDue' });

export type DueInvoices = z.output<typeof DueInvoices>;

type Group = DueInvoices['groups'][number];

const columns = { date: 'due_date', company: 'company_id' } as const;

/** What is due by a day (YYYY-MM-DD), or at all; the first days first, or the companies by their IDs. */
export async function dueInvoices(
  reader: Reader,
  { to = null, group_by }: { to?: string | null | undefined; group_by: 'date' | 'company' },
): Promise<DueInvoices> {
  const { today } = await receivedContext(reader);
  const column = columns[group_by];
  const rows = await reader.connection.query<Group & { whole: string | number }>(
    `SELECT ${column}, count(*)::int AS count, sum(balance)::bigint AS balance,
            coalesce(sum(balance) FILTER (WHERE due_date < $3), 0)::bigint AS overdue_balance,
            (array_agg(id ORDER BY due_date, id))[1:${MOST_DUE}] AS ids, (sum(sum(balance)) OVER ())::bigint AS whole
       FROM received_documents
      WHERE organization_id = $1 AND ${UNPAID} AND ($2::date IS NULL OR due_date <= $2)
      GROUP BY ${column} ORDER BY ${column} NULLS LAST LIMIT ${MOST_DUE + 1}`,
    [reader.organization_id, to, today],
  );
  const groups = rows.slice(0, MOST_DUE).map(({ whole, balance, overdue_balance, ...group }): Group => {
    return { ...group, balance: Number(balance), overdue_balance: Number(overdue_balance) };
  });
  return { groups, balance: Number(rows[0]?.whole ?? 0), has_more: rows.length > MOST_DUE };
}
