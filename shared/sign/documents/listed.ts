import { oneOf } from '../../db/one-of.ts';
import type { Reader } from '../../kernel/reader.ts';
import {
  type DocumentRow,
  documentColumns,
  type FileRow,
  fileColumns,
  type SignerRow,
  signerColumns,
} from './rows.ts';

/** What no list shows: each column of each row is read, sent and parsed. */
const UNLISTED = [
  'source',
  'sealing_since',
  'sealing_next_at',
  'seal_renew_at',
  'trail_at',
  'warn_at',
  'expiry_warned_at',
  'ended_on',
  'erased_at',
] as const satisfies readonly (keyof DocumentRow)[];
const UNLISTED_OF_SIGNERS = [
  'email_key',
  'failed_tries',
  'notified_at',
  'signed_from',
  'reminded_at',
  'created_at',
] as const satisfies readonly (keyof SignerRow)[];
const UNLISTED_OF_FILES = [
  'version',
  'storage_key',
  'geometry',
  'values_sha256',
  'seal_digest',
  'created_at',
] as const satisfies readonly (keyof FileRow)[];

/** A document as far as lists show it. */
export type ListedRow = Omit<DocumentRow, (typeof UNLISTED)[number]>;
export type ListedSigner = Omit<SignerRow, (typeof UNLISTED_OF_SIGNERS)[number]>;
export type ListedFile = Omit<FileRow, (typeof UNLISTED_OF_FILES)[number]>;
export type ListedDocument = {
  document: ListedRow;
  signers: readonly ListedSigner[];
  files: readonly ListedFile[];
};

const without = (columns: readonly string[], left_out: readonly string[]): string[] =>
  columns.filter((column) => !left_out.includes(column));

export const listedColumns = without(documentColumns, UNLISTED);

const SIGNERS = `SELECT ${without(signerColumns, UNLISTED_OF_SIGNERS).join(', ')} FROM sign_signers
  WHERE organization_id = $1 AND document_id = ${oneOf('$2')} ORDER BY document_id, position`;
const FILES = `SELECT ${without(fileColumns, UNLISTED_OF_FILES).join(', ')} FROM sign_files
  WHERE organization_id = $1 AND document_id = ${oneOf('$2')} AND is_present AND kind <> 'redrawn'`;

/** Documents of a page with their signers and present files: two statements for any number of them. */
export async function withParts(
  { connection, organization_id }: Reader,
  documents: readonly ListedRow[],
): Promise<ListedDocument[]> {
  const ids = [organization_id, documents.map(({ id }) => id)];
  const [signers, files] = await Promise.all([
    connection.query<ListedSigner>(SIGNERS, ids),
    connection.query<ListedFile>(FILES, ids),
  ]);
  const signers_of = Map.groupBy(signers, ({ document_id }) => document_id);
  const files_of = Map.groupBy(files, ({ document_id }) => document_id);
  return documents.map((document) => ({
    document,
    signers: signers_of.get(document.id) ?? [],
    files: files_of.get(document.id) ?? [],
  }));
}
