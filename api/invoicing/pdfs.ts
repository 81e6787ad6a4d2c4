import { documentKinds, kinds, oneOf } from '../../shared/invoicing/documents/kinds.ts';
import { contentOf } from '../../shared/invoicing/pdf/contents.ts';
import { PDF } from '../../shared/invoicing/pdf/prints.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { generated } from '../http/files/declarations.ts';

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
    summary: `Download the PDF of ${oneOf(kind)}`,
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
