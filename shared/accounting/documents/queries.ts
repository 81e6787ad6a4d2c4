import { isCompany } from '../../crm/aliases.ts';
import { companiesLike } from '../../crm/companies/names.ts';
import { pageOf } from '../../db/list.ts';
import type { LookUps } from '../../db/look-ups.ts';
import { hasTerm } from '../../db/search-term.ts';
import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { searchTerm } from '../../platform/search/grams.ts';
import type { StoredFile } from '../../platform/storage/stored-file.ts';
import { type EvidenceDocument, EvidenceModel, evidenceKind } from './record.ts';
import {
  type Evidence,
  type EvidenceContext,
  type EvidenceRow,
  evidenceColumns,
  evidenceOf,
  evidenceWith,
  type VersionRow,
} from './rows.ts';

const BY_ID = `SELECT ${evidenceColumns.join(', ')} FROM accounting_documents WHERE organization_id = $1 AND id = $2`;

/** One document. Errors: `not_found`. */
export async function evidenceById(reader: Reader, id: string): Promise<EvidenceDocument> {
  const { evidence, context } = await readEvidence(reader, BY_ID, id);
  return evidenceOf(evidence, context);
}

/** The same as it is kept, its row locked until the work commits. Errors: `not_found`. */
export function lockEvidence(
  reader: Reader,
  id: string,
): Promise<{ evidence: Evidence; context: EvidenceContext }> {
  return readEvidence(reader, `${BY_ID} FOR NO KEY UPDATE`, id);
}

async function readEvidence(reader: Reader, text: string, id: string) {
  const [row] = await reader.connection.query<EvidenceRow>(text, [reader.organization_id, id]);
  if (!row) throw notFound();
  const { all, context } = await evidenceWith(reader, [row]);
  return { evidence: all[0]!, context };
}

/** The file of a version, by default the newest. Errors: `not_found`. */
export async function evidenceFile(
  reader: Reader,
  id: string,
  version: number | undefined,
): Promise<StoredFile & { created_at: string }> {
  const [found] = await reader.connection.query<VersionRow>(
    `SELECT version.* FROM accounting_documents AS document
       JOIN accounting_document_versions AS version
         ON version.organization_id = document.organization_id AND version.document_id = document.id
      WHERE document.organization_id = $1 AND document.id = $2 AND version.version = coalesce($3, document.version)`,
    [reader.organization_id, id, version ?? null],
  );
  if (!found) throw notFound();
  const { storage_key, file_name, content_type, size_bytes, sha256, created_at } = found;
  return { storage_key, file_name, media_type: content_type, size: Number(size_bytes), sha256, created_at };
}

export type EvidenceFilters = LookUps & {
  date_from?: string;
  date_to?: string;
  amount_min?: number;
  amount_max?: number;
  company_id?: string;
  partner?: string;
  document_type?: EvidenceDocument['document_type'];
  direction?: EvidenceDocument['direction'];
  registration_number?: string;
  linked?: boolean;
  search?: string;
  include_discarded?: boolean;
  /** Of one of its versions. */
  sha256?: string;
};

/** A window of the documents that the filters leave: the newest first unless another order is asked for. */
export async function evidencePage(
  reader: Reader,
  filters: EvidenceFilters,
  window: Window,
): Promise<Page<EvidenceDocument>> {
  const page = await pageOf<EvidenceRow>(reader, {
    ...(await evidenceQuery(reader, filters)),
    table: EvidenceModel.tableName,
    columns: evidenceColumns,
    prefix: 'adoc',
    sorts: { transaction_date: 'transaction_date', amount: 'amount' },
    window,
    is_filtered: true,
    look_ups: { kind: evidenceKind, asked: filters },
  });
  const { all, context } = await evidenceWith(reader, page.rows);
  return { ...page, rows: all.map((each) => evidenceOf(each, context)) };
}

const WITH_BYTES = `EXISTS (SELECT FROM accounting_document_versions AS version
  WHERE version.organization_id = accounting_documents.organization_id
    AND version.document_id = accounting_documents.id AND version.sha256 = ?)`;

/** The documents that the filters leave, in no order. In an object, since a query that is awaited by itself runs. */
export async function evidenceQuery(
  reader: Reader,
  filters: EvidenceFilters,
): Promise<{ query: ReturnType<typeof EvidenceModel.table> }> {
  const query = EvidenceModel.table(reader);
  const { date_from, date_to, amount_min, amount_max, company_id, document_type, direction } = filters;
  const { partner, search, registration_number, linked, include_discarded } = filters;
  if (!include_discarded) query.where('accounting_documents.status', 'active');
  if (date_from !== undefined) query.where('transaction_date', '>=', date_from);
  if (date_to !== undefined) query.where('transaction_date', '<=', date_to);
  if (amount_min !== undefined) query.where('amount', '>=', amount_min);
  if (amount_max !== undefined) query.where('amount', '<=', amount_max);
  if (company_id !== undefined) query.whereRaw(...isCompany(reader, 'accounting_documents', company_id));
  if (document_type !== undefined) query.where({ document_type });
  if (direction !== undefined) query.where({ direction });
  if (registration_number !== undefined) query.where({ registration_number });
  if (linked !== undefined) {
    const exists = `EXISTS (SELECT FROM accounting_document_links AS link
      WHERE link.organization_id = accounting_documents.organization_id AND link.document_id = accounting_documents.id)`;
    query.whereRaw(linked ? exists : `NOT ${exists}`);
  }
  if (filters.sha256 !== undefined) query.whereRaw(WITH_BYTES, [filters.sha256]);
  if (partner !== undefined) await narrowByText(reader, query, 'partner', partner);
  if (search !== undefined) await narrowByText(reader, query, 'search', search);
  return { query };
}

/** What is written on the document itself, or the name of its company, as the CRM finds it. */
async function narrowByText(
  reader: Reader,
  query: ReturnType<typeof EvidenceModel.table>,
  name: 'partner' | 'search',
  typed: string,
): Promise<void> {
  const term = searchTerm(typed, { phones: false });
  if (term === null) return;
  const company_ids = await companiesLike(reader, term);
  const table = 'accounting_documents';
  const found = hasTerm(`${table}.${name}_grams`, `${table}.${name}_text`, term);
  query.whereRaw(`((${found.text}) OR ${table}.company_id = ANY (?::text[]))`, [
    ...(found.values as string[]),
    company_ids,
  ]);
}
