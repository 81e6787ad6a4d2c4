import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dayImport } from '../../../shared/attendance/imports/domain.ts';
import type { ImportDomain } from '../../../shared/platform/imports/domain.ts';
import { type PacedChunk, steadyPace } from '../../../shared/platform/imports/run/pace.ts';
import { diskStorage } from '../../../shared/platform/storage/disk.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { importsOf } from '../../support/imports.ts';

const database = await freshDatabase();
const folder = mkdtempSync(join(tmpdir(), 'import-pace-'));
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const MEMBERS = 3;
const DAYS = 4;

test('days that wait for the end of their file are merged at a pace of their own', async () => {
  const actor = await newActor(database.database);
  const domain = dayImport as unknown as ImportDomain;
  const imports = importsOf({ database, storage: diskStorage(folder), actor, domain });
  await imports.query(
    `INSERT INTO attendance_members (organization_id, id, name, searched_name, search_text, search_grams, employee_code, status, created_at, updated_at)
     SELECT $1, 'mem_' || lpad(n::text, 26, '0'), 'n' || n, 'n' || n, 'n' || n, '{}', 'E' || n, 'active', now(), now()
       FROM generate_series(1, $2::integer) AS n`,
    [actor.organization_id, MEMBERS],
  );
  const days = Array.from({ length: DAYS }, (_, day) =>
    Array.from({ length: MEMBERS }, (_, member) => `E${member + 1},2026-10-0${day + 1},9:00,18:00`),
  );
  const file = ['employee_code,work_date,clock_in,clock_out', ...days.flat()].join('\r\n');
  for (const written of [MEMBERS * DAYS, 0]) {
    const paces: PacedChunk[][] = [];
    const pace = () => {
      const chunks: PacedChunk[] = [];
      paces.push(chunks);
      return { ...steadyPace(MEMBERS), rest: async (chunk: PacedChunk) => void chunks.push(chunk) };
    };
    await imports.run(await imports.create(file), { pace });
    const sums = paces.map((chunks) => [
      chunks.reduce((sum, { rows }) => sum + rows, 0),
      chunks.reduce((sum, chunk) => sum + chunk.written, 0),
    ]);
    assert.deepEqual(sums, [
      [MEMBERS * DAYS, 0],
      [MEMBERS * DAYS, written],
    ]);
  }
});
