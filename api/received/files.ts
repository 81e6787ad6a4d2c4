import { z } from 'zod';
import { byId, id } from '../../shared/kernel/schema.ts';
import { contentKinds } from '../../shared/platform/intake/content-kind.ts';
import { kinds, receivedKinds } from '../../shared/received/documents/kinds.ts';
import { addFiles } from '../../shared/received/files/add.ts';
import { arrivedFiles } from '../../shared/received/files/arrive.ts';
import { contentOfFile } from '../../shared/received/files/queries.ts';
import { receivedContents } from '../../shared/received/files/record.ts';
import { contentOf } from '../../shared/received/pdf/contents.ts';
import { refusalsOf } from '../../shared/received/transitions/allowed.ts';
import { Answer } from '../http/declaration.ts';
import { file, generated, upload } from '../http/files/declarations.ts';
import { receivedReply, receivedReplySchema } from './documents.ts';
import { FILE_FIELD } from './file-field.ts';

/** By kind, the bytes of its files, and its PDF. */
export const files = receivedKinds.flatMap((kind) => {
  const { prefix, resource, title } = kinds[kind];
  const path = `/api/v1/${kinds[kind].path}/:id`;
  const named = { scope: 'received:read' } as const;
  return [
    upload({
      id: `received.${resource}.files`,
      method: 'post',
      path: `${path}/files`,
      scope: 'received:write',
      summary: `Add files to a ${title.en}`,
      description:
        'By a form with up to ten files as `file`. `supersedes` names the one whose place the first of them takes, until the ' +
        'decision on the document: it is kept all the same. Not to one that was rejected.',
      params: byId(prefix),
      file: FILE_FIELD,
      fields: z.strictObject({
        supersedes: id('rfile').optional(),
        allow_duplicate: z
          .boolean()
          .describe('Whether another document of the kind may have the same file.')
          .meta({ examples: [false] })
          .optional(),
      }),
      status: 201,
      reply: receivedReplySchema(kind),
      raises: [
        'unsupported_media_type',
        'unknown_reference',
        'duplicate_file',
        'received_file_frozen',
        ...refusalsOf(kind, 'files'),
      ],
      inspect: ({ files, pieces, signal }) => arrivedFiles(files, pieces, signal),
      handle: async ({ params, fields, inspected }, work) => {
        const document = await addFiles(work, kind, params.id, inspected, fields);
        const Location = `/api/v1/${kinds[kind].path}/${document.id}`;
        return new Answer(201, await receivedReply(work, document), { Location });
      },
    }),
    file({
      ...named,
      id: `received.${resource}.content`,
      path: `${path}/files/:file_id/content`,
      summary: `Download a file of a ${title.en}`,
      description:
        'Byte by byte as it came, whole or in ranges. `ETag` is `"sha256:<hex>"`. A file that was superseded is still there.',
      params: z.object({ id: id(prefix), file_id: id('rfile') }),
      query: z.strictObject({
        disposition: z
          .enum(['attachment', 'inline'])
          .describe('`inline` is heard for PDF, PNG, JPEG and WebP.')
          .optional(),
      }),
      media_types: receivedContents.map((content) => contentKinds[content]),
      handle: ({ params, query }, reader) =>
        contentOfFile(reader, { kind, ...params, disposition: query.disposition }),
    }),
    generated({
      ...named,
      id: `received.${resource}.pdf`,
      path: `${path}/pdf`,
      summary: `Download the PDF of a ${title.en}`,
      description:
        'Of the first file that was not superseded: a PDF as its own bytes, a picture as a page of it. Where there is none, ' +
        'or it is of another kind or cannot be decoded, a sheet of the record, its files and their hashes, marked 控え / ' +
        'RECORD SHEET. While it is being made the call waits up to 15 seconds, then it answers 202 with the job. `ETag` is ' +
        '`"sha256:<hex>"`.',
      params: byId(prefix),
      generates: {
        kind: 'received.document.pdf',
        unit: null,
        media_types: ['application/pdf'],
        has_whole_hash: true,
      },
      handle: ({ params }, reader) => contentOf(reader, kind, params.id),
    }),
  ];
});
