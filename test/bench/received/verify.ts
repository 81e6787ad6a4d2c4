import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openOffice } from '../cloud/office.ts';
import { median, peakOf } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';

const run = promisify(execFile);

const MiB = 1024 * 1024;
const FILES = Number(process.env['BENCH_FILES'] ?? 20);
const SIZE = Number(process.env['BENCH_MIB'] ?? 48) * MiB;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const AIM = 0.5;

/** Verifying large originals, from the beginning of the job to its end, beside sha256sum of the same bytes, in turns. */
export async function verify(): Promise<string> {
  const office = await openOffice();
  const { server, headers, folder, environment } = office;
  const workers = await startServer('workers', 'workers/main.ts', environment);
  const call = async (method: string, path: string, body?: FormData) => {
    const reply = await fetch(`${server.base_url}/api/v1${path}`, { method, headers, body: body ?? null });
    const text = await reply.text();
    assert.ok(reply.ok, `${path}: ${reply.status} ${text}`);
    return text;
  };
  try {
    const paths: string[] = [];
    for (let n = 0; n < FILES; n += 1) {
      // A text of one line: no reader opens it, and no two are alike.
      const bytes = Buffer.from(randomBytes(SIZE / 2).toString('hex'));
      const path = join(folder, `original-${n}.csv`);
      writeFileSync(path, bytes);
      const form = new FormData();
      form.append('file', new File([new Uint8Array(bytes)], `original-${n}.csv`));
      await call('POST', '/received-invoices', form);
      paths.push(path);
    }
    const verified = async () => {
      const { job } = JSON.parse(await call('POST', '/evidence/verify'));
      await call('GET', `/jobs/${job.id}/events`);
      const ended = JSON.parse(await call('GET', `/jobs/${job.id}`)).job;
      assert.deepEqual([ended.result?.ok, ended.result?.files], [true, FILES], JSON.stringify(ended));
      return (Date.parse(ended.finished_at) - Date.parse(ended.started_at)) / 1000;
    };
    const hashed = async () => {
      const began = performance.now();
      await run('sha256sum', paths);
      return (performance.now() - began) / 1000;
    };
    const rounds: { own: number; bare: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await hashed();
      const own = await verified();
      if (round > 0) rounds.push({ own, bare });
    }
    const rate = (of: 'own' | 'bare') =>
      ((FILES * SIZE) / MiB / median(rounds.map((each) => each[of]))).toFixed(0);
    const ratio = median(rounds.map(({ own, bare }) => bare / own)).toFixed(2);
    return [
      `| ${FILES} files of ${SIZE / MiB} MiB | verify, MiB/s | sha256sum, MiB/s | verify/sha256sum | aim | peak of the workers, MiB |`,
      '|---|---|---|---|---|---|',
      `| one organization | ${rate('own')} | ${rate('bare')} | ${ratio} | ${AIM} | ${peakOf(workers)} |`,
    ].join('\n');
  } finally {
    await workers.stop();
    await office.end();
  }
}
