import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { peakOf } from '../imports/measuring.ts';
import { type Server, startServer } from '../servers.ts';
import { call } from './calls.ts';
import type { Workforce } from './year.ts';

/** The daily CSV of the month and its recalculation, of an organization with a year of days and of one with a month. */
export async function jobsTable(
  api: Server,
  environment: Record<string, string>,
  year: Workforce,
  month: Workforce,
): Promise<string> {
  const workers = await startServer('ours', 'workers/main.ts', environment);
  try {
    const csv = [await secondsOfCsv(api, year), await secondsOfCsv(api, month)];
    const peak = peakOf(workers);
    const again = [await secondsOfChange(api, year), await secondsOfChange(api, month)];
    const line = (name: string, [one, other]: number[], aim: string) =>
      `| ${name} | ${one!.toFixed(1)} | ${other!.toFixed(1)} | ${aim} |`;
    return [
      '| | with a year, s | with a month, s | aim, s |',
      '|---|---|---|---|',
      line('daily CSV of the month, from the request to the file', csv, '4'),
      line('the month computed again', again, '20'),
      `| peak of the worker after the CSV, MiB | ${peak} | | 200 |`,
    ].join('\n');
  } finally {
    await workers.stop();
  }
}

/** From the request to the whole file, which is asked for until it is there. */
async function secondsOfCsv(api: Server, { owner }: Workforce): Promise<number> {
  const began = performance.now();
  for (;;) {
    const reply = await call(api, owner, 'GET', '/attendance/exports/csv');
    const text = await reply.text();
    if (reply.status === 200) {
      assert.ok(text.split('\r\n').length > 1_000, text.slice(0, 500));
      return (performance.now() - began) / 1_000;
    }
    assert.equal(reply.status, 202, text);
    await pause(50);
  }
}

/** A change of the settings, from its answer to the end of the job. */
async function secondsOfChange(api: Server, { owner }: Workforce): Promise<number> {
  const today = new Date().toISOString();
  const began = performance.now();
  const reply = await call(api, owner, 'PATCH', '/attendance/settings', {
    effective_from: `${today.slice(0, 7)}-01`,
    day_boundary_time: '04:00',
  });
  const { job } = (await reply.json()) as { job: { id: string } };
  for (;;) {
    const shown = await call(api, owner, 'GET', `/jobs/${job.id}`);
    const { status } = ((await shown.json()) as { job: { status: string } }).job;
    if (status === 'succeeded') return (performance.now() - began) / 1_000;
    assert.ok(status === 'queued' || status === 'running', status);
    await pause(100);
  }
}
