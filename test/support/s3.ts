import { globSync, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import S3rver from 's3rver';

export type TestS3 = {
  /** For STORAGE_URL. */
  url: string;
  /** The keys of what it holds, in order. */
  objects(): string[];
  stop(): Promise<void>;
};

const BUCKET = 'files';
const OBJECT = '._S3rver_object';

/** An S3 store of its own. It ends with the test file. */
export async function startS3(): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 's3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = (await server.run()) as AddressInfo;
  let running = true;
  const stop = async () => {
    if (running) await server.close();
    running = false;
  };
  after(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: `s3://S3RVER:S3RVER@127.0.0.1:${port}/${BUCKET}?tls=false`,
    objects: () =>
      globSync(`**/*${OBJECT}`, { cwd: join(folder, BUCKET) })
        .map((path) => path.slice(0, -OBJECT.length))
        .sort(),
    stop,
  };
}
