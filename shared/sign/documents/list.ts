import { isCompany } from '../../crm/aliases.ts';
import { isFiltered, type ListQuery, pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import { type ListedRow, listedColumns, withParts } from './listed.ts';
import type { SignDocument } from './record.ts';
import { SignDocumentModel, signDocumentKind } from './rows.ts';
import { listedDocumentOf } from './shown.ts';
import { askingOf } from './shown-to.ts';
import { sightOf } from './sight.ts';
import type { DocumentStatus } from './words.ts';

/** What the list of documents can be narrowed by. */
export type DocumentFilters = LookUps & {
  status?: readonly DocumentStatus[] | undefined;
  search?: string | undefined;
  company_id?: string | undefined;
  signer_email?: string | undefined;
  needs_attention?: boolean | undefined;
  transaction_date_from?: string | undefined;
  transaction_date_to?: string | undefined;
  amount_min?: number | undefined;
  amount_max?: number | undefined;
};

const TABLE = SignDocumentModel.tableName;

/** A window of the documents that who asks sees, each with its signers and without its fields. Errors: `invalid_cursor`. */
export async function documentPage(
  reader: Reader,
  filters: DocumentFilters,
  window: Window,
): Promise<Page<SignDocument>> {
  const page = await pageOf<ListedRow>(reader, documentsListed(reader, filters, window));
  const [listed, asking] = await Promise.all([withParts(reader, page.rows), askingOf(reader)]);
  return { ...page, rows: listed.map((one) => listedDocumentOf(one, asking)) };
}

/** The documents that who asks sees and that the filters leave, in the order of a window. */
export function documentsListed(reader: Reader, filters: DocumentFilters, window: Window): ListQuery {
  const term = filters.search === undefined ? null : searchTerm(filters.search, { phones: false });
  return {
    query: documentsFor(reader, filters),
    table: TABLE,
    columns: listedColumns,
    prefix: 'doc',
    sorts: {
      sent_at: { column: 'sent_at', nullable: true },
      expires_at: { column: 'expires_at', nullable: true },
      transaction_date: { column: 'transaction_date', nullable: true },
      amount: { column: 'amount', nullable: true },
      title: 'title',
    },
    walked: ['sent_at', 'expires_at', 'transaction_date', 'amount', 'title'],
    search: term,
    window,
    is_filtered: isFiltered(filters) || sightOf(reader, TABLE) !== null,
    counted: { table: TABLE },
    look_ups: { kind: signDocumentKind, asked: filters },
  };
}

function documentsFor(reader: Reader, filters: DocumentFilters): ReturnType<typeof SignDocumentModel.table> {
  const { status, company_id, signer_email, needs_attention, amount_min, amount_max } = filters;
  const { transaction_date_from, transaction_date_to } = filters;
  const query = SignDocumentModel.table(reader).whereNull(`${TABLE}.erased_at`);
  const sight = sightOf(reader, TABLE);
  if (sight) query.whereRaw(sight.text, sight.values as never);
  if (status !== undefined) query.whereIn(`${TABLE}.status`, [...status]);
  if (company_id !== undefined) query.whereRaw(...isCompany(reader, TABLE, company_id));
  if (needs_attention !== undefined) query.where(`${TABLE}.needs_attention`, needs_attention);
  if (transaction_date_from !== undefined)
    query.where(`${TABLE}.transaction_date`, '>=', transaction_date_from);
  if (transaction_date_to !== undefined) query.where(`${TABLE}.transaction_date`, '<=', transaction_date_to);
  if (amount_min !== undefined) query.where(`${TABLE}.amount`, '>=', amount_min);
  if (amount_max !== undefined) query.where(`${TABLE}.amount`, '<=', amount_max);
  if (signer_email !== undefined) {
    query.whereRaw(
      `${TABLE}.id = ANY (ARRAY(SELECT document_id FROM sign_signers WHERE organization_id = ? AND email_key = ?))`,
      [reader.organization_id, signer_email.toLowerCase()],
    );
  }
  return query;
}
