import type { VerifiedFiles } from '../../platform/intake/verified-files.ts';

/** Sealed files and their certificates, of all versions: nothing makes them again. Uploads are among what came from outside. */
export const sealedFiles: VerifiedFiles = {
  table: 'sign_files',
  key: ['document_id', 'kind', 'version'],
  size: 'size_bytes',
  where: "kind IN ('signed', 'certificate')",
};
