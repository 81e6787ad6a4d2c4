import { notFound } from '../../kernel/failure.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import {
  type DocumentRow,
  documentColumns,
  type FieldRow,
  type FileRow,
  fieldColumns,
  fileColumns,
  type SignerRow,
  type StoredDocument,
  signerColumns,
} from './rows.ts';
import { sees } from './sight.ts';

const BY_ID = `SELECT ${documentColumns.join(', ')} FROM sign_documents
  WHERE organization_id = $1 AND id = $2 AND erased_at IS NULL`;

const SIGNERS = `SELECT ${signerColumns.join(', ')} FROM sign_signers WHERE organization_id = $1 AND document_id = $2`;

const FIELDS = `SELECT ${fieldColumns.join(', ')} FROM sign_fields
  WHERE organization_id = $1 AND document_id = $2 ORDER BY position`;

const FILES = `SELECT ${fileColumns.join(', ')} FROM sign_files
  WHERE organization_id = $1 AND document_id = $2 AND is_present AND kind <> 'redrawn'`;

/** A document with its signers, fields and present files, for who sees it. Errors: `not_found`. */
export async function storedDocument(reader: Reader, id: string): Promise<StoredDocument> {
  const { connection, organization_id } = reader;
  const ids = [organization_id, id];
  const [[document], signers, fields, files] = await Promise.all([
    connection.query<DocumentRow>(BY_ID, ids),
    connection.query<SignerRow>(`${SIGNERS} ORDER BY position`, ids),
    connection.query<StoredField>(FIELDS, ids),
    connection.query<FileRow>(FILES, ids),
  ]);
  if (!document || !sees(reader.actor, document)) throw notFound();
  return { document, signers, fields: fields.map(fieldOf), files };
}

/**
 * The same, locked until the work commits: the document's row first, which all that changes one of its parts locks, then its
 * signers by their IDs. Errors: `not_found`.
 */
export async function documentForUpdate(work: Work, id: string): Promise<StoredDocument> {
  const { connection, organization_id } = work;
  const [document] = await connection.query<DocumentRow>(`${BY_ID} FOR NO KEY UPDATE`, [organization_id, id]);
  if (!document || !sees(work.actor, document)) throw notFound();
  const ids = [organization_id, id];
  const [signers, fields, files] = await Promise.all([
    connection.query<SignerRow>(`${SIGNERS} ORDER BY id FOR NO KEY UPDATE`, ids),
    connection.query<StoredField>(FIELDS, ids),
    connection.query<FileRow>(FILES, ids),
  ]);
  signers.sort((left, right) => left.position - right.position);
  return { document, signers, fields: fields.map(fieldOf), files };
}

/** A field as the database answers it, with its decimals as text. */
type StoredField = Omit<FieldRow, 'x' | 'y' | 'w' | 'h' | 'font_size'> &
  Record<'x' | 'y' | 'w' | 'h' | 'font_size', string>;

function fieldOf({ x, y, w, h, font_size, ...row }: StoredField): FieldRow {
  return {
    ...row,
    x: Number(x),
    y: Number(y),
    w: Number(w),
    h: Number(h),
    font_size: Number(font_size),
  };
}
