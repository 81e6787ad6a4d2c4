import { z } from 'zod';
import { Answer } from '../../api/http/declaration.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { read } from '../../api/http/endpoint.ts';
import { transfer } from '../../api/http/files/declarations.ts';
import { Failure } from '../../shared/kernel/failure.ts';

const MiB = 1024 * 1024;
const params = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z_]+$/)
    .meta({ examples: ['photo'] }),
});
const offset = { description: 'Where the piece begins.', example: '0' };
const path = '/api/v1/crm/pieces/:id';
const common = { scope: 'crm:write', path, params } as const;

/** What has happened to pieces since the process began. */
export const seen = { bytes: 0, begun: 0, ended: 0 };

/** A small resumable upload: HEAD, OPTIONS, PATCH and DELETE of a file in the store, and PUT of bytes by a path. */
export const pieceEndpoints: Endpoint[] = [
  transfer({
    id: 'crm.pieces.options',
    method: 'options',
    path: '/api/v1/crm/pieces',
    scope: 'public',
    summary: 'Tell what is spoken',
    tells: { 'Tus-Version': { description: 'The versions.', example: '1.0.0' } },
    status: 204,
    handle: async () => new Answer(204, null, { 'Tus-Version': '1.0.0' }),
  }),
  transfer({
    ...common,
    id: 'crm.pieces.offset',
    method: 'head',
    summary: 'Tell how far it has come',
    tells: { 'Upload-Offset': offset },
    status: 200,
    handle: async ({ params }, { context }) => {
      const received = await context.storage.received(`org_a/${params.id}`);
      return new Answer(200, null, { 'Upload-Offset': String(received) });
    },
  }),
  read({
    ...common,
    id: 'crm.pieces.get',
    method: 'get',
    summary: 'Show it',
    reply: z.strictObject({ name: z.string().meta({ examples: ['photo'] }) }),
    handle: async ({ params }) => ({ name: params.id }),
  }),
  transfer({
    ...common,
    id: 'crm.pieces.append',
    method: 'patch',
    summary: 'Add a piece',
    takes: {
      media_types: ['application/offset+octet-stream'],
      limit: 30 * MiB,
      description: 'The bytes from the offset on.',
    },
    hears: { 'Upload-Offset': offset },
    tells: { 'Upload-Offset': offset },
    status: 204,
    handle: async ({ params }, { context, heard, body }) => {
      seen.begun += 1;
      try {
        const at = Number(heard['Upload-Offset']);
        const options = { limit: 100 * MiB };
        const piece = await context.storage.append(`org_a/${params.id}`, at, counted(body!.bytes), options);
        if (piece.broken) throw piece.broken;
        return new Answer(204, null, { 'Upload-Offset': String(piece.received) });
      } finally {
        seen.ended += 1;
      }
    },
  }),
  transfer({
    ...common,
    id: 'crm.pieces.refuse',
    method: 'put',
    summary: 'Refuse whatever comes',
    takes: { limit: 30 * MiB, description: 'Any bytes.' },
    status: 204,
    raises: ['already_exists'],
    handle: async () => {
      throw new Failure('already_exists');
    },
  }),
  transfer({
    id: 'crm.bytes.put',
    method: 'put',
    path: '/api/v1/crm/bytes/*path',
    params: z.strictObject({ path: z.string().meta({ examples: ['a/b.txt'] }) }),
    scope: 'crm:write',
    summary: 'Take bytes by their path',
    takes: { limit: MiB, description: 'Any bytes.' },
    status: 201,
    reply: z.strictObject({
      rest: z.string().meta({ examples: ['a/b.txt'] }),
      size: z.int().meta({ examples: [3] }),
      length: z
        .int()
        .nullable()
        .meta({ examples: [3] }),
      media_type: z
        .string()
        .nullable()
        .meta({ examples: ['text/plain'] }),
    }),
    handle: async ({ params }, { body }) => {
      let size = 0;
      for await (const chunk of body!.bytes) size += chunk.length;
      return { rest: params.path, size, length: body!.length, media_type: body!.media_type };
    },
  }),
];

async function* counted(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    seen.bytes += chunk.length;
    yield chunk;
  }
}
