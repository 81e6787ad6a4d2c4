import type { Warning } from '../../crm/corporate-number.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Sentence } from '../../kernel/sentences.ts';
import { sameFileIn } from '../../platform/evidence/same-file.ts';
import type { ReceivedDocument } from './record.ts';

/** The codes of warnings about files; all others follow from what the document says. */
const CODES = ['duplicate_file', 'file_unreadable'];

export const isAboutFile = ({ code }: Warning) => CODES.includes(code);

const ELSEWHERE = `
  SELECT sha256, min(id) AS id FROM (
    SELECT file.sha256, file.document_id AS id FROM received_files AS file
      JOIN received_documents AS document
        ON document.organization_id = $1 AND document.id = file.document_id AND document.kind <> $3
     WHERE file.organization_id = $1 AND file.sha256 = ANY ($2)
    UNION ALL
    SELECT sha256, document_id FROM accounting_document_versions
     WHERE organization_id = $1 AND sha256 = ANY ($2)) AS found
   GROUP BY sha256`;

/** What is odd about the files of a document: a PDF that cannot be opened, or a file that is in another kind or accounting too. */
export async function fileWarnings(
  { connection, organization_id }: Reader,
  { kind, files }: Pick<ReceivedDocument, 'kind' | 'files'>,
): Promise<Warning[]> {
  const standing = [...files.entries()].filter(([, { superseded_by }]) => superseded_by === null);
  if (standing.length === 0) return [];
  const hashes = standing.map(([, { sha256 }]) => sha256);
  const rows = await connection.query<{ sha256: string; id: string }>(ELSEWHERE, [
    organization_id,
    hashes,
    kind,
  ]);
  const elsewhere = new Map(rows.map(({ sha256, id }) => [sha256, id]));
  return standing.flatMap(([index, { sha256, content_type, is_unreadable }]) => {
    const path = `/files/${index}`;
    // A picture that could not be printed is noted when somebody asks for its page, and may only be too large for one.
    const is_damaged = is_unreadable && content_type === 'application/pdf';
    const other = elsewhere.get(sha256);
    return [
      ...(is_damaged ? [{ path, code: 'file_unreadable', message: unreadable().en }] : []),
      ...(other ? [{ path, code: 'duplicate_file', message: sameFileIn(other).en }] : []),
    ];
  });
}

const unreadable = () => ({
  en: 'The file is damaged or locked; it is kept as it came',
  ja: 'ファイルが破損しているか、ロックされています。届いたまま保管されます',
});

/** What the warnings of files say. */
export const fileSentences: readonly Sentence[] = [unreadable];
