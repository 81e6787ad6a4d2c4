import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { median, peakOf } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';
import { formOfTwenty } from './twenty-fields.ts';

const run = promisify(execFile);

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

/** An export of responses of twenty fields, from the request to the kept file, beside `\copy` of the same answers as JSON. */
export async function exported(): Promise<string> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 600_000 });
  const folder = mkdtempSync(join(tmpdir(), 'bench-forms-export-'));
  const actor = await newActor(database);
  const { form_id } = await formOfTwenty({ database, url }, actor, ROWS);
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  };
  const server = await startServer('ours', 'api/main.ts', environment);
  const workers = await startServer('ours', 'workers/main.ts', environment);
  const call = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${server.base_url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${actor.secret}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    assert.ok(reply.ok, text);
    return JSON.parse(text);
  };
  const ours = async () => {
    const { job } = await call('POST', `/forms/${form_id}/responses/export`, {});
    const done = await until(
      'the export is done',
      async () => {
        const found = (await call('GET', `/jobs/${job.id}`)).job;
        return found.finished_at !== null && found;
      },
      600_000,
    );
    assert.equal(done.result?.rows, ROWS, JSON.stringify(done));
  };
  const select =
    `SELECT data FROM forms_responses WHERE organization_id = '${actor.organization_id}' AND form_id = '${form_id}'
    AND NOT is_spam ORDER BY submitted_at DESC, id DESC`.replaceAll('\n', ' ');
  const plain = () => run('psql', ['-q', url, '-c', `\\copy (${select}) TO '${folder}/psql.csv' CSV`]);
  try {
    const took: { ours: number; plain: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const each = { plain: await seconds(plain), ours: await seconds(ours) };
      if (round > 0) took.push(each);
    }
    const ratio = median(took.map((each) => each.plain / each.ours));
    const cells = [
      ROWS,
      median(took.map((each) => each.ours)).toFixed(2),
      median(took.map((each) => each.plain)).toFixed(2),
      ratio.toFixed(2),
      peakOf(workers),
    ];
    return [
      '| responses of 20 fields | export s | psql s | rate export/psql (aim 0.3) | peak MiB (aim 200) |',
      '|---|---|---|---|---|',
      `| ${cells.join(' | ')} |`,
    ].join('\n');
  } finally {
    await workers.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
    await drop();
  }
}

async function seconds(what: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await what();
  return (performance.now() - began) / 1000;
}
