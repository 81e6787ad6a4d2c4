import type { VerifiedFiles } from '../../platform/intake/verified-files.ts';

/** The PDFs of issued documents. */
export const issuedFiles: VerifiedFiles = {
  table: 'invoicing_prints',
  key: ['document_id'],
  size: 'size',
  where: 'storage_key IS NOT NULL',
};
