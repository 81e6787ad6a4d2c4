import assert from 'node:assert/strict';
import autocannon from 'autocannon';
import type { TestDatabase } from '../../support/database.ts';
import { quantile } from '../imports/measuring.ts';
import { processorTime } from '../queue/processor.ts';
import type { Server } from '../servers.ts';

export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4);
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
export const CONNECTIONS = 32;

/** A call of one caller; `body` is asked for a number that none before it had. */
export type Call = { secret: string; path: string; body?: (n: number) => string };

/** Requests a second, milliseconds of an answer, and microseconds of a processor for each request. */
export type Load = { rate: number; p50: number; p99: number; api: number; database: number };

let sent = 0;

/** Sends calls in turn over 32 connections, for so many seconds. */
export async function load(
  server: Pick<Server, 'base_url' | 'pid'>,
  test_database: TestDatabase,
  calls: readonly Call[],
  seconds = SECONDS,
  connections = CONNECTIONS,
): Promise<Load> {
  const before = await processorTime(server.pid, test_database, undefined);
  const { times, elapsed } = await send(server.base_url, calls, seconds, connections);
  const after = await processorTime(server.pid, test_database, undefined);
  const each = (milliseconds: number) => (milliseconds * 1000) / times.length;
  return {
    rate: times.length / elapsed,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    api: each(after.worker - before.worker),
    database: each(after.database - before.database),
  };
}

async function send(url: string, calls: readonly Call[], seconds: number, connections: number) {
  const times: number[] = [];
  const began = performance.now();
  // What calls tells its end at whole seconds only: the last response is the end.
  let ended = began;
  const requests = calls.map(({ secret, path, body }): autocannon.Request => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    if (!body) return { method: 'GET', path, headers };
    const setupRequest = (request: autocannon.Request) => {
      sent += 1;
      return { ...request, headers, body: body(sent) };
    };
    return { method: 'POST', path, headers, setupRequest };
  });
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon({ url, connections, duration: seconds, requests }, (error, done) =>
      error ? reject(error) : resolve(done),
    );
    running.on('response', (_client, _status, _bytes, milliseconds) => {
      times.push(milliseconds);
      ended = performance.now();
    });
  });
  assert.equal(
    result.non2xx + result.errors,
    0,
    `${calls[0]!.path}: ${JSON.stringify(result.statusCodeStats)}`,
  );
  return { times, elapsed: (ended - began) / 1000 };
}
