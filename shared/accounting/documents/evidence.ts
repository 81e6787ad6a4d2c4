import { companiesNamed } from '../../crm/companies/names.ts';
import type { Reader } from '../../kernel/reader.ts';
import type {
  AskedEvidence,
  EvidenceSource,
  ExportedFile,
  FilePlace,
  KeptFile,
} from '../../platform/evidence/source.ts';
import { type EvidenceFilters, evidenceQuery } from './queries.ts';
import { type EvidenceRow, evidenceColumns, evidenceWith } from './rows.ts';

/** Documents that an export reads at once; each has a hundred files at most. */
const BATCH = 100;

type Version = { version: number; sha256: string };

/** The documents of accounting, as the chain of evidence and its export know them. */
export const accountingEvidence: EvidenceSource = {
  entity_types: ['document'],
  added({ entity_id, changes }) {
    const [before, after] = (changes['versions'] ?? []) as Partial<[Version[] | null, Version[] | null]>;
    const known = new Set((before ?? []).map(({ version }) => version));
    return (after ?? [])
      .filter(({ version }) => !known.has(version))
      .map(({ version, sha256 }) => ({ record_id: entity_id, version, file_id: null, sha256 }));
  },
  kept: ({ connection, organization_id }, record_ids) =>
    connection.query<KeptFile>(
      `SELECT document_id AS record_id, version, NULL AS file_id, sha256, storage_key FROM accounting_document_versions
        WHERE organization_id = $1 AND document_id = ANY ($2) ORDER BY document_id, version`,
      [organization_id, record_ids],
    ),
  async unrecorded({ connection, organization_id }) {
    const [row] = await connection.query<FilePlace>(
      `SELECT document_id AS record_id, version, NULL AS file_id FROM accounting_document_versions AS version
        WHERE organization_id = $1 AND NOT EXISTS (
              SELECT FROM audit_logs AS entry
               WHERE entry.organization_id = $1 AND entry.entity_id = version.document_id AND entry.action = 'create')
        ORDER BY document_id, version LIMIT 1`,
      [organization_id],
    );
    return row ?? null;
  },
  async exported(reader, asked, after) {
    const filters = ownFilters(asked);
    if (!filters) return { files: [], next: null };
    const { query } = await evidenceQuery(reader, filters);
    query.orderBy('accounting_documents.id').limit(BATCH);
    if (after !== null) query.where('accounting_documents.id', '>', after);
    const rows = (await query.select(
      evidenceColumns.map((name) => `accounting_documents.${name}`),
    )) as unknown[];
    const files = await filesOf(reader, rows as EvidenceRow[]);
    return { files, next: rows.length < BATCH ? null : (rows.at(-1) as EvidenceRow).id };
  },
};

/** What received documents alone have: who asks for it asks for none of these. */
const OF_OTHERS = [
  'issue_date_from',
  'issue_date_to',
  'due_date_from',
  'due_date_to',
  'incomplete',
  'paid_from',
  'paid_to',
  'unpaid',
  'overdue',
  'qualified',
  'has_journal',
];

/** The filters of an export as those of the list; null where they ask for what no document here is. */
function ownFilters({
  kind = 'document',
  status,
  has_file = true,
  ...asked
}: AskedEvidence): EvidenceFilters | null {
  if (kind !== 'document' || !has_file || OF_OTHERS.some((name) => asked[name] !== undefined)) return null;
  if (status === undefined) return asked as EvidenceFilters;
  return [status].flat().includes('active') ? { ...asked, include_discarded: false } : null;
}

async function filesOf(reader: Reader, rows: readonly EvidenceRow[]): Promise<ExportedFile[]> {
  const [{ all }, companies, numbers] = await Promise.all([
    evidenceWith(reader, rows),
    companiesNamed(
      reader,
      rows.flatMap(({ company_id }) => company_id ?? []),
    ),
    numbersOf(
      reader,
      rows.map(({ id }) => id),
    ),
  ]);
  return all.flatMap(({ row, versions }) =>
    versions.map(({ version, storage_key, file_name, size_bytes, sha256, created_at }): ExportedFile => {
      return {
        storage_key,
        size: Number(size_bytes),
        at: new Date(created_at),
        folder: `${row.transaction_date.slice(0, 7)}/${row.id}/${version}`,
        cells: {
          kind: 'document',
          id: row.id,
          transaction_date: row.transaction_date,
          company: companies.get(row.company_id ?? '')?.name ?? row.partner_name,
          total: String(row.amount),
          registration_number: row.registration_number,
          status: row.status,
          journal_numbers: (numbers.get(row.id) ?? []).join(';'),
          file_name,
          sha256,
        },
      };
    }),
  );
}

/** The numbers of the posted entries that documents are linked to. */
async function numbersOf(
  { connection, organization_id }: Reader,
  document_ids: readonly string[],
): Promise<Map<string, number[]>> {
  const rows = await connection.query<{ document_id: string; number: number }>(
    `SELECT link.document_id, journal.number FROM accounting_document_links AS link
       JOIN accounting_journals AS journal
         ON journal.organization_id = $1 AND journal.id = link.journal_id AND journal.number IS NOT NULL
      WHERE link.organization_id = $1 AND link.document_id = ANY ($2)
      ORDER BY link.document_id, journal.date, journal.number`,
    [organization_id, document_ids],
  );
  const found = Map.groupBy(rows, ({ document_id }) => document_id);
  return new Map([...found].map(([id, own]) => [id, own.map(({ number }) => number)]));
}
