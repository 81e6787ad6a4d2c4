import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { type ContentKind, contentKinds } from '../../platform/intake/content-kind.ts';
import type { UploadedFile } from '../../platform/storage/stored-file.ts';
import { holdNonce } from '../tokens/hold.ts';
import { FILES_OF_RESPONSE, type FormFile, FormFileModel } from './record.ts';
import { acceptedType, type FileRules } from './rules.ts';

/** For what a file was uploaded: a field of a form, and the nonce of a form token (its hash); null with credentials. */
export type UploadFor = {
  form_id: string;
  field_id: string;
  nonce_hash: string | null;
  /** What its address is counted by; null where nothing is counted. */
  address_hash: string | null;
};

/**
 * Adds an upload, which its transaction keeps; a submission claims it within a day, or it goes. Errors:
 * `unsupported_media_type`, `body_too_large` beyond 100 MiB of one form token. Locks: the nonce of the form token.
 */
export async function addFile(
  work: Work,
  { form_id, field_id, nonce_hash, address_hash }: UploadFor,
  rules: FileRules,
  file: UploadedFile,
): Promise<FormFile> {
  const content_type = acceptedType(rules, file, kindOf(file));
  if (nonce_hash !== null) {
    await holdNonce(work, nonce_hash);
    await refuseBeyondToken(work, nonce_hash, file.size);
  }
  const { file_name, size: size_bytes, sha256 } = file;
  const created_at = work.now.toISOString();
  const shown = {
    id: newId('ffile', work.now),
    form_id,
    field_id,
    file_name,
    size_bytes,
    content_type,
    sha256,
    created_at,
  };
  work.insert(FormFileModel, { ...shown, nonce_hash, address_hash, storage_key: file.storage_key });
  // A file alone is nothing that a history tells: its response is.
  work.nothingChanged();
  const { id, ...rest } = shown;
  return { id, object: 'forms.file', ...rest };
}

const kindByType = new Map(
  Object.entries(contentKinds).map(([kind, type]) => [type as string, kind as ContentKind]),
);

function kindOf({ content_type }: UploadedFile): ContentKind {
  return kindByType.get(content_type)!;
}

async function refuseBeyondToken(
  { connection, organization_id }: Work,
  nonce_hash: string,
  bytes: number,
): Promise<void> {
  const [stored] = await connection.query<{ bytes: number }>(
    `SELECT coalesce(sum(size_bytes), 0)::integer AS bytes FROM forms_files
      WHERE organization_id = $1 AND nonce_hash = $2 AND response_id IS NULL`,
    [organization_id, nonce_hash],
  );
  if (stored!.bytes + bytes <= FILES_OF_RESPONSE) return;
  throw new Failure('body_too_large', {
    detail: {
      en: 'The files of one response may have 100 MiB together',
      ja: '1件の回答のファイルは合計100MiBまでです',
    },
  });
}
