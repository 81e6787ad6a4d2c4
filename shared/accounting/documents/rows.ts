import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Row } from '../../kernel/statement.ts';
import { sameFileIn } from '../../platform/evidence/same-file.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { allYears } from '../years/queries.ts';
import type { FiscalYear } from '../years/record.ts';
import type { DocumentFile, EvidenceDocument } from './record.ts';
import { type RetentionRule, retentionRules, retentionUntil, yearsKept } from './retention.ts';

export const evidenceColumns = [
  'id',
  'document_type',
  'direction',
  'transaction_date',
  'amount',
  'company_id',
  'partner_name',
  'registration_number',
  'qualified',
  'received_via',
  'note',
  'status',
  'discard_reason',
  'external_id',
  'metadata',
  'version',
  'uploaded_by',
  'created_at',
  'updated_at',
] as const;

/** A document as it is kept. */
export type EvidenceRow = Omit<
  EvidenceDocument,
  'object' | 'file' | 'versions' | 'journal_ids' | 'retention_until' | 'warnings'
> & { version: number };

/** A version as it is kept. */
export type VersionRow = EvidenceDocument['versions'][number] & { storage_key: string };

/** A document with what other tables hold of it. */
export type Evidence = { row: EvidenceRow; versions: readonly VersionRow[]; journal_ids: readonly string[] };

/** What the computed members of documents follow from. */
export type EvidenceContext = {
  years: readonly FiscalYear[];
  retention: readonly RetentionRule[];
  /** By hash, the oldest document that has the file. */
  first_of: ReadonlyMap<string, string>;
};

/** A document as the API shows it. */
export function evidenceOf(
  { row, versions, journal_ids }: Evidence,
  { years, retention, first_of }: EvidenceContext,
): EvidenceDocument {
  const { id, external_id, metadata, version, uploaded_by, created_at, updated_at, ...fields } = row;
  const newest = versions.find((one) => one.version === version)!;
  return {
    id,
    object: 'accounting.document',
    ...fields,
    external_id,
    metadata,
    file: fileOf(newest),
    versions: versions.map(({ storage_key, ...shown }) => shown),
    journal_ids: [...journal_ids],
    retention_until: retentionUntil(years, row.transaction_date, yearsKept(retention, created_at)),
    uploaded_by,
    warnings: duplicateWarnings(id, newest, first_of),
    created_at,
    updated_at,
  };
}

function fileOf({ version, file_name, content_type, size_bytes, sha256 }: VersionRow): DocumentFile {
  return { version, file_name, content_type, size_bytes, sha256 };
}

function duplicateWarnings(
  id: string,
  { sha256 }: VersionRow,
  first_of: ReadonlyMap<string, string>,
): EvidenceDocument['warnings'] {
  const document_id = first_of.get(sha256);
  if (document_id === undefined || document_id === id) return [];
  return [{ code: 'duplicate_file', message: sameFileIn(document_id).en, document_id }];
}

/** The columns that hold a document, with what it is found by: names and notes as people write them. */
export function columnsOfEvidence(row: EvidenceRow, file_names: readonly string[]): Row {
  const partner_text = searchText([row.partner_name]);
  const search_text = searchText([row.partner_name, row.note, ...file_names]);
  return {
    ...row,
    partner_text,
    partner_grams: gramsOf(partner_text),
    search_text,
    search_grams: gramsOf(search_text),
  };
}

/** What other tables hold of documents, three statements for any number of them. */
export async function evidenceWith(
  reader: Reader,
  rows: readonly EvidenceRow[],
): Promise<{ all: Evidence[]; context: EvidenceContext }> {
  const { connection, organization_id } = reader;
  const values = [organization_id, rows.map(({ id }) => id)];
  const [versions, links, first_of, years, retention] = await Promise.all([
    connection.query<VersionRow & { document_id: string }>(
      `SELECT document_id, version, file_name, content_type, size_bytes, sha256, uploaded_by, created_at, storage_key
         FROM accounting_document_versions WHERE organization_id = $1 AND document_id = ${oneOf('$2')}
        ORDER BY document_id, version`,
      values,
    ),
    connection.query<{ document_id: string; journal_id: string }>(
      `SELECT document_id, journal_id FROM accounting_document_links
        WHERE organization_id = $1 AND document_id = ${oneOf('$2')} ORDER BY document_id, journal_id`,
      values,
    ),
    connection.query<{ sha256: string; document_id: string }>(
      `SELECT other.sha256, min(other.document_id) AS document_id
         FROM accounting_document_versions AS own
         JOIN accounting_document_versions AS other
           ON other.organization_id = own.organization_id AND other.sha256 = own.sha256
        WHERE own.organization_id = $1 AND own.document_id = ${oneOf('$2')} GROUP BY other.sha256`,
      values,
    ),
    allYears(reader),
    retentionRules(reader),
  ]);
  const of_versions = Map.groupBy(versions, ({ document_id }) => document_id);
  const of_links = Map.groupBy(links, ({ document_id }) => document_id);
  return {
    all: rows.map((row) => ({
      row,
      versions: (of_versions.get(row.id) ?? []).map(({ document_id, ...version }) => version),
      journal_ids: (of_links.get(row.id) ?? []).map(({ journal_id }) => journal_id),
    })),
    context: {
      years,
      retention,
      first_of: new Map(first_of.map(({ sha256, document_id }) => [sha256, document_id])),
    },
  };
}
