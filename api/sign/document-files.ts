import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { certificateFile, documentFile } from '../../shared/sign/documents/file-source.ts';
import { file } from '../http/files/declarations.ts';

const PATH = '/api/v1/sign/documents/:id';

const one = { params: byId('doc'), scope: 'sign:read', media_types: ['application/pdf'] } as const;

/** The files of documents. */
export const documentFiles = [
  file({
    ...one,
    id: 'sign.documents.pdf',
    path: `${PATH}/pdf`,
    summary: 'Download the PDF of a document',
    description: 'The sealed file once it is there, the upload as it came before.',
    query: z.strictObject({
      version: z.enum(['signed', 'original']).describe('404 for what is not there.').optional(),
    }),
    handle: ({ params, query }, reader) => documentFile(reader, params.id, query.version),
  }),
  file({
    ...one,
    id: 'sign.documents.certificate',
    path: `${PATH}/certificate`,
    summary: 'Download the certificate of a document',
    description:
      'A second sealed PDF with certificate and trail, where the upload came with signatures and nothing was added to it; 404 for others, whose certificate stands at the end of the sealed file.',
    handle: ({ params }, reader) => certificateFile(reader, params.id),
  }),
];
