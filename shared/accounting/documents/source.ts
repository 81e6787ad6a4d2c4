import type { FileSource } from '../../platform/file-sources/source.ts';
import { evidenceFile } from './queries.ts';

/** The newest version of a document's original. */
export const evidenceOriginal: FileSource = {
  type: 'accounting_document',
  prefix: 'adoc',
  scope: 'accounting:read',
  content: async (reader, id) => ({ file: await evidenceFile(reader, id, undefined) }),
};
