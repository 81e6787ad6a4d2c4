import type { Knex } from 'knex';
import { isCompany } from '../../crm/aliases.ts';
import type { Reader } from '../../kernel/reader.ts';
import { narrowByText } from '../documents/by-text.ts';
import { type ReceivedKind, receivedKinds } from '../documents/kinds.ts';

/** What the received documents of an export of evidence are narrowed by; `date` is that of the transaction. */
export type EvidenceFilters = {
  kind?: string;
  status?: string;
  company_id?: string;
  partner?: string;
  search?: string;
  registration_number?: string;
  sha256?: string;
  incomplete?: boolean;
  linked?: boolean;
  document_type?: string;
  direction?: string;
  amount_min?: number;
  amount_max?: number;
  has_file?: boolean;
  date_from?: string;
  date_to?: string;
  issue_date_from?: string;
  issue_date_to?: string;
  due_date_from?: string;
  due_date_to?: string;
};

/** Filters that bound a column, both ends included; the day of a transaction that went over days is the last of them. */
const bounds = {
  date: 'retention_date',
  issue_date: 'issue_date',
  due_date: 'due_date',
  amount: 'total',
} as const;

const BOOKED = `EXISTS (SELECT FROM accounting_journals AS journal
  WHERE journal.organization_id = received_documents.organization_id AND journal.source_id = received_documents.id)`;

const WITH_BYTES = `EXISTS (SELECT FROM received_files AS file
  WHERE file.organization_id = received_documents.organization_id AND file.document_id = received_documents.id
    AND file.sha256 = ?)`;

/**
 * The received documents with files that the filters leave, in no order; null where they ask for what no received document is.
 * In an object, since a query that is awaited by itself runs.
 */
export async function evidenceQuery(
  reader: Reader,
  filters: EvidenceFilters,
): Promise<{ query: Knex.QueryBuilder } | null> {
  const kinds = kindsOf(filters);
  const is_of_others = filters.direction === 'issued' || filters.has_file === false;
  if (kinds.length === 0 || is_of_others) return null;
  const { organization_id, connection } = reader;
  const query = connection.knex('received_documents').where({ organization_id }).where('file_count', '>', 0);
  query.whereIn('kind', kinds);
  for (const [name, column] of Object.entries(bounds)) {
    const {
      [`${name}_from`]: from,
      [`${name}_to`]: to,
      [`${name}_min`]: min,
      [`${name}_max`]: max,
    } = filters as Record<string, string | number | undefined>;
    const [least, most] = [from ?? min, to ?? max];
    if (least !== undefined) query.where(column, '>=', least);
    if (most !== undefined) query.where(column, '<=', most);
  }
  const { status, company_id, registration_number, sha256, incomplete, linked, partner, search } = filters;
  if (status !== undefined) query.where({ status });
  if (registration_number !== undefined) query.where({ registration_number });
  if (company_id !== undefined) query.whereRaw(...isCompany(reader, 'received_documents', company_id));
  if (sha256 !== undefined) query.whereRaw(WITH_BYTES, [sha256]);
  if (incomplete !== undefined) query.whereRaw(`missing ${incomplete ? '<>' : '='} '[]'`);
  if (linked !== undefined) query.whereRaw(linked ? BOOKED : `NOT ${BOOKED}`);
  if (partner !== undefined) await narrowByText(reader, query, 'partner', partner);
  if (search !== undefined) await narrowByText(reader, query, 'search', search);
  return { query };
}

/** The kinds that are asked for; accounting's documents call their kinds `document_type`. */
function kindsOf({ kind, document_type }: EvidenceFilters): ReceivedKind[] {
  return receivedKinds.filter(
    (each) =>
      (kind === undefined || kind === each) && (document_type === undefined || document_type === each),
  );
}
