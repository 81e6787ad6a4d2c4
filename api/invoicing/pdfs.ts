import { type DocumentKind, documentKinds, kinds } from '../../shared/invoicing/documents/kinds.ts';
import { documentById } from '../../shared/invoicing/documents/rows.ts';
import { draftKey, renderDraft } from '../../shared/invoicing/pdf/drafts.ts';
import { fileOfPrint, PDF, printKey, printState, renderAgain } from '../../shared/invoicing/pdf/prints.ts';
import { printFor } from '../../shared/invoicing/print/print-for.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import { byId } from '../../shared/kernel/schema.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { type Content, generated } from '../http/files/declarations.ts';

const DESCRIPTION =
  'Of an issued document the file that was made of what was frozen on issue: the same bytes ever after, with the hash ' +
  'that `pdf` tells. Of a draft a file with a mark, made when it is asked for and whenever it prints something else. ' +
  'While it is being made the call waits up to 15 seconds, then it answers 202 with the job; a rendering that failed ' +
  'is tried again.';

export const pdfs = documentKinds.map((kind) =>
  generated({
    id: `invoicing.${kinds[kind].path.replaceAll('-', '_')}.pdf`,
    path: `/api/v1/${kinds[kind].path}/:id/pdf`,
    scope: 'invoicing:read',
    summary: `Download the PDF of a ${kinds[kind].title.en}`,
    description: DESCRIPTION,
    params: byId(kinds[kind].prefix),
    generates: {
      kind: 'invoicing.document.pdf',
      unit: null,
      media_types: [PDF],
    },
    handle: ({ params }, reader) => contentOf(reader, kind, params.id),
  }),
);

async function contentOf(reader: Reader, kind: DocumentKind, id: string): Promise<Content> {
  const frozen = await printState(reader, id);
  if (frozen) {
    const file = fileOfPrint(frozen);
    if (file) return { file };
    return { key: printKey(id), enqueue: (work: Work, job_id) => renderAgain(work, id, job_id) };
  }
  const print = await printFor(reader, await documentById(reader, kind, id), { is_draft: true });
  return {
    key: draftKey(id, print),
    enqueue: (work: Work, job_id) => renderDraft(work, print, job_id),
  };
}
