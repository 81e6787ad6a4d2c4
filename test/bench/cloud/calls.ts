import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../imports/measuring.ts';
import type { BenchOffice } from './office.ts';

/** Calls the cloud; answers the body, and the milliseconds until it was there. */
export async function call(
  { server, headers }: Pick<BenchOffice, 'server' | 'headers'>,
  method: string,
  path: string,
  body?: object | Buffer,
): Promise<{ body: unknown; took: number }> {
  const isRaw = Buffer.isBuffer(body);
  const began = performance.now();
  const reply = await fetch(`${server.base_url}/api/v1/cloud${path}`, {
    method,
    headers: { ...headers, 'content-type': isRaw ? 'text/plain' : 'application/json' },
    body: isRaw ? new Uint8Array(body) : body ? JSON.stringify(body) : null,
  });
  const text = await reply.text();
  const took = performance.now() - began;
  assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`);
  return { body: JSON.parse(text), took };
}

/** Milliseconds of calls that come at a fixed rate, so that one that waits does not hold up the next, until `isOver`. */
export async function callsMeanwhile(
  rate: number,
  next: (n: number) => Promise<{ took: number }>,
  isOver: () => boolean,
): Promise<number[]> {
  const took: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; !isOver(); n += 1) {
    const wait = began + (n * 1000) / rate - performance.now();
    if (wait > 0) await pause(wait);
    const ended = next(n).then((call) => void took.push(call.took));
    // It is told at the end, when all have ended.
    ended.catch(() => undefined);
    pending.push(ended);
  }
  await Promise.all(pending);
  return took;
}

/** Tells p50 and p95 of milliseconds as cells of a table. */
export function told(took: readonly number[]): string {
  return [0.5, 0.95].map((share) => quantile(took, share).toFixed(1)).join(' | ');
}
