import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestActor } from './actors.ts';
import type { Client, Reply } from './client.ts';

const VERSION = { 'Tus-Resumable': '1.0.0' };
const PIECE = { ...VERSION, 'Content-Type': 'application/offset+octet-stream' };

export const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Pairs as Upload-Metadata has them. */
export function metadataOf(pairs: Record<string, string>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** Resumable uploads of an office, by tus 1.0.0. */
export function tusOf(office: Pick<Client, 'send'>) {
  /** Asks for an upload of so many bytes, or of a content that comes at once. */
  function create(
    content: number | string | Uint8Array,
    pairs: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const isLater = typeof content === 'number';
    return office.send('POST', '/cloud/uploads', isLater ? undefined : content, {
      ...(isLater ? VERSION : PIECE),
      'Upload-Length': String(isLater ? content : content.length),
      'Upload-Metadata': metadataOf(pairs),
      ...headers,
    });
  }
  return {
    create,
    /** The ID of an upload that is begun. */
    async begin(size: number, pairs: Record<string, string> = { filename: 'a.bin' }): Promise<string> {
      const { status, headers, text } = await create(size, pairs);
      assert.equal(status, 201, text);
      return /upl_\w+$/.exec(headers.get('location')!)![0];
    },
    head: (id: string) => office.send('HEAD', `/cloud/uploads/${id}`, undefined, VERSION),
    patch: (id: string, at: number, content: string | Uint8Array, headers: Record<string, string> = {}) =>
      office.send('PATCH', `/cloud/uploads/${id}`, content, {
        ...PIECE,
        'Upload-Offset': String(at),
        ...headers,
      }),
    end: (id: string) => office.send('DELETE', `/cloud/uploads/${id}`, undefined, VERSION),
    async read(id: string): Promise<Reply['body']> {
      return (await office.send('GET', `/cloud/uploads/${id}`)).body.upload;
    },
  };
}

export type Sending = { actor: Pick<TestActor, 'secret'>; id: string; at: number; length: number };

/** Begins a PATCH by hand that announces more bytes than are sent at first. */
export async function patching(base_url: string, { actor, id, at, length }: Sending): Promise<Socket> {
  const socket = connect(Number(new URL(base_url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [
    `PATCH /api/v1/cloud/uploads/${id} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${actor.secret}`,
    'Tus-Resumable: 1.0.0',
    'Content-Type: application/offset+octet-stream',
    `Content-Length: ${length}`,
    `Upload-Offset: ${at}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}
