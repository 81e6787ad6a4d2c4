import { companiesNamed } from '../../crm/companies/names.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { EvidenceSource, ExportedFile, FilePlace, KeptFile } from '../../platform/evidence/source.ts';
import { kinds, type ReceivedKind, receivedKinds } from '../documents/kinds.ts';
import { filesOf } from '../files/queries.ts';
import type { FileRow, ReceivedFile } from '../files/record.ts';
import { type EvidenceFilters, evidenceQuery } from './filters.ts';

/** Documents that an export reads at once; each has a hundred files at most. */
const BATCH = 100;

const COLUMNS = [
  'id',
  'kind',
  'number',
  'company_id',
  'company_name',
  'total',
  'registration_number',
  'status',
  'transaction_date',
  'transaction_from',
  'transaction_to',
  'retention_date',
  'received_on',
] as const;

type DocumentRow = Record<Exclude<(typeof COLUMNS)[number], 'kind'>, string | null> & {
  id: string;
  kind: ReceivedKind;
  received_on: string;
  status: string;
};

/** The files of received documents, as the chain of evidence and its export know them. Their numbers are their positions. */
export const receivedEvidence: EvidenceSource = {
  entity_types: receivedKinds.map((kind) => kinds[kind].name),
  added({ entity_id, changes }) {
    const [before, after] = (changes['files'] ?? []) as Partial<
      [ReceivedFile[] | null, ReceivedFile[] | null]
    >;
    const known = new Set((before ?? []).map(({ id }) => id));
    return (after ?? []).flatMap(({ id, sha256 }, index) =>
      known.has(id) ? [] : [{ record_id: entity_id, version: index + 1, file_id: id, sha256 }],
    );
  },
  kept: ({ connection, organization_id }, record_ids) =>
    connection.query<KeptFile>(
      `SELECT document_id AS record_id, position AS version, id AS file_id, sha256, storage_key FROM received_files
        WHERE organization_id = $1 AND document_id = ANY ($2) ORDER BY document_id, position`,
      [organization_id, record_ids],
    ),
  async unrecorded({ connection, organization_id }) {
    const [row] = await connection.query<FilePlace>(
      `SELECT document_id AS record_id, position AS version, id AS file_id FROM received_files AS file
        WHERE organization_id = $1 AND NOT EXISTS (
              SELECT FROM audit_logs AS entry
               WHERE entry.organization_id = $1 AND entry.entity_id = file.document_id AND entry.action = 'create')
        ORDER BY document_id, position LIMIT 1`,
      [organization_id],
    );
    return row ?? null;
  },
  async exported(reader, asked, after) {
    const found = await evidenceQuery(reader, asked as EvidenceFilters);
    if (!found) return { files: [], next: null };
    const { query } = found;
    query.orderBy('id').limit(BATCH);
    if (after !== null) query.where('id', '>', after);
    const rows = (await query.select(COLUMNS)) as DocumentRow[];
    const files = await exportedOf(reader, rows);
    return { files, next: rows.length < BATCH ? null : rows.at(-1)!.id };
  },
};

async function exportedOf(reader: Reader, rows: readonly DocumentRow[]): Promise<ExportedFile[]> {
  const ids = rows.map(({ id }) => id);
  const [files, companies, numbers] = await Promise.all([
    filesOf(reader, ids),
    companiesNamed(
      reader,
      rows.flatMap(({ company_id }) => company_id ?? []),
    ),
    numbersOf(reader, ids),
  ]);
  return rows.flatMap((row) => {
    const company = companies.get(row.company_id ?? '')?.name ?? row.company_name;
    const journal_numbers = (numbers.get(row.id) ?? []).join(';');
    return (files.get(row.id) ?? []).map((file) => exportedFile(row, file, { company, journal_numbers }));
  });
}

function exportedFile(
  { id, kind, number, transaction_date, retention_date, received_on, total, ...row }: DocumentRow,
  { position, storage_key, file_name, size_bytes, sha256, uploaded_at }: FileRow,
  cells: { company: string | null; journal_numbers: string },
): ExportedFile {
  const { registration_number, status } = row;
  const month = (transaction_date ?? retention_date ?? received_on).slice(0, 7);
  return {
    storage_key,
    size: size_bytes,
    at: new Date(uploaded_at),
    folder: `${month}/${id}/${position}`,
    cells: {
      kind,
      id,
      number,
      transaction_date: transaction_date ?? periodOf(row),
      ...cells,
      total: String(total),
      registration_number,
      status,
      file_name,
      sha256,
    },
  };
}

/** What was delivered over days has the first and the last of them, as ISO 8601 writes an interval; null without any. */
function periodOf({
  transaction_from: from,
  transaction_to: to,
}: Pick<DocumentRow, 'transaction_from' | 'transaction_to'>): string | null {
  return from === null || to === null ? null : `${from}/${to}`;
}

/** The numbers of the posted entries that documents were booked with. */
async function numbersOf(
  { connection, organization_id }: Reader,
  document_ids: readonly string[],
): Promise<Map<string, number[]>> {
  const rows = await connection.query<{ document_id: string; number: number }>(
    `SELECT source_id AS document_id, number FROM accounting_journals
      WHERE organization_id = $1 AND source_id = ANY ($2) AND number IS NOT NULL ORDER BY source_id, date, number`,
    [organization_id, document_ids],
  );
  const found = Map.groupBy(rows, ({ document_id }) => document_id);
  return new Map([...found].map(([id, own]) => [id, own.map(({ number }) => number)]));
}
