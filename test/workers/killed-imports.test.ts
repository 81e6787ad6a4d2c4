import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { onEachEngine } from '../support/engines.ts';
import { killedImport } from '../support/killed-imports.ts';
import { startWorkers } from '../support/workers.ts';

const ROWS = Number(process.env['KILLED_ROWS'] ?? 20_000);
const KILLS = Number(process.env['KILLS'] ?? 2);

const folder = mkdtempSync(join(tmpdir(), 'killed-imports-'));
after(() => rmSync(folder, { recursive: true, force: true }));

onEachEngine((engine) => {
  test(`an import whose workers are killed ${KILLS} times leaves what an undisturbed one leaves`, async () => {
    const start = () => startWorkers({ ...engine.environment, DATA_DIR: folder }, ['--queues', 'csv-import']);
    const { test_database } = engine;
    const asked = { test_database, folder, rows: ROWS, kills: KILLS, start, random: Math.random };
    const { undisturbed, killed } = await killedImport(asked);
    assert.deepEqual(killed, undisturbed);
    assert.equal(undisturbed.counts['is_completed'], 1);
    assert.equal(undisturbed.counts['total_rows'], ROWS);
    assert.ok(undisturbed.counts['duplicate_count']! > 0 && undisturbed.counts['error_count']! > 0);
  });
});
