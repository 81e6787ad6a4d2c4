import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import type { FileSet } from '../../platform/batches/file-set.ts';
import type { FileSource } from '../../platform/file-sources/source.ts';
import type { Content } from '../../platform/jobs/generated.ts';
import { type DocumentKind, documentKinds, kinds } from '../documents/kinds.ts';
import { documentById, documentsById } from '../documents/rows.ts';
import { documentExports } from '../exports/documents.ts';
import { printFor } from '../print/print-for.ts';
import { draftKey, renderDraft } from './drafts.ts';
import {
  fileOfPrint,
  PDF_JOB,
  type PrintState,
  printKey,
  printState,
  printStates,
  renderAgain,
} from './prints.ts';

/** The PDF of a document, or what makes it. Errors: `not_found`. */
export async function contentOf(reader: Reader, kind: DocumentKind, id: string): Promise<Content> {
  const frozen = await printState(reader, id);
  return frozen ? contentOfPrint(id, frozen) : contentOfDraft(reader, kind, id);
}

function contentOfPrint(id: string, frozen: PrintState): Content {
  const file = fileOfPrint(frozen);
  if (file) return { file };
  return { key: printKey(id), enqueue: (work: Work, job_id) => renderAgain(work, id, job_id) };
}

async function contentOfDraft(reader: Reader, kind: DocumentKind, id: string): Promise<Content> {
  const print = await printFor(reader, await documentById(reader, kind, id), { is_draft: true });
  return {
    key: draftKey(id, print),
    enqueue: (work: Work, job_id) => renderDraft(work, print, job_id),
  };
}

/** The same of many. Drafts are composed one by one, so it is for jobs. */
async function contentsOf(
  reader: Reader,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<Map<string, Content>> {
  const [documents, prints] = await Promise.all([documentsById(reader, kind, ids), printStates(reader, ids)]);
  const contents = new Map<string, Content>();
  for (const id of documents.keys()) {
    const frozen = prints.get(id);
    contents.set(id, frozen ? contentOfPrint(id, frozen) : await contentOfDraft(reader, kind, id));
  }
  return contents;
}

function filesOfKind(kind: DocumentKind): FileSet {
  const { name, scope, title, list } = documentExports[kind];
  const contents: FileSet['contents'] = (reader, ids) => contentsOf(reader, kind, ids);
  return { name, prefix: kinds[kind].prefix, scope, title, list, making: PDF_JOB, contents };
}

/** By kind, the PDFs of many documents. */
export const documentFiles = Object.fromEntries(
  documentKinds.map((kind) => [kind, filesOfKind(kind)]),
) as Record<DocumentKind, FileSet>;

/** By kind, the PDF of one document, for who copies it. */
export const documentSources: readonly FileSource[] = documentKinds.map((kind) => ({
  type: kind,
  prefix: kinds[kind].prefix,
  scope: documentFiles[kind].scope,
  making: PDF_JOB,
  is_final: async (reader, id) => (await printState(reader, id)) !== null,
  content: (reader, id) => contentOf(reader, kind, id),
}));
