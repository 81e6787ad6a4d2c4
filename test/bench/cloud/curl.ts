import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Seconds that curl takes to send a file by PUT. Fails unless the answer is of the status. */
export function sent(url: string, path: string, secret: string, status = 201): Promise<number> {
  return timed(['-T', path, '-H', 'Expect:', '-H', `Authorization: Bearer ${secret}`, url], status);
}

/** Seconds that curl takes to send a piece of a resumable upload that begins at `offset`. */
export function sentPiece(url: string, path: string, secret: string, offset: number): Promise<number> {
  const headers = [
    `Authorization: Bearer ${secret}`,
    'Content-Type: application/offset+octet-stream',
    `Upload-Offset: ${offset}`,
    'Tus-Resumable: 1.0.0',
    'Expect:',
  ];
  return timed(['-X', 'PATCH', '-T', path, ...headers.flatMap((header) => ['-H', header]), url], 204);
}

/** Seconds that curl takes to get a file, of which it keeps nothing. */
export function got(url: string, secret: string): Promise<number> {
  return timed(['-H', `Authorization: Bearer ${secret}`, url], 200);
}

const TOLD = '%{http_code} %{time_total}';

async function timed(words: string[], status: number): Promise<number> {
  const { stdout } = await run('curl', ['-sS', '-o', '/dev/null', '-w', TOLD, ...words]);
  const [code, seconds] = stdout.split(' ');
  assert.equal(Number(code), status, stdout);
  return Number(seconds);
}
