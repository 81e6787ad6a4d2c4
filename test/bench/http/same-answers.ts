import assert from 'node:assert/strict';
import type { Server } from '../servers.ts';
import type { Call } from './load.ts';

/**
 * Sends one call to all servers, whose answers have to be the same with as many bytes; answers how many. Members may stand in another order:
 * ours is that of the schemas, others write columns of JSON in the order of the database.
 */
export async function assertSameAnswers(servers: readonly Server[], { path, secret }: Call): Promise<number> {
  const texts = await Promise.all(
    servers.map(async ({ name, base_url }) => {
      const response = await fetch(base_url + path, { headers: { Authorization: `Bearer ${secret}` } });
      assert.equal(response.status, 200, `${name}: ${path}`);
      return response.text();
    }),
  );
  const bytes = Buffer.byteLength(texts[0]!);
  for (const text of texts) {
    if (text === texts[0]) continue;
    assert.deepEqual(JSON.parse(text), JSON.parse(texts[0]!));
    assert.equal(Buffer.byteLength(text), bytes, path);
  }
  return bytes;
}
