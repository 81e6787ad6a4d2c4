import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { dayImport } from '../../../shared/attendance/imports/domain.ts';
import type { ImportDomain } from '../../../shared/platform/imports/domain.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { importStored } from '../../support/stored-imports.ts';
import { importWorkers, peakOf } from './measuring.ts';

const MEMBERS = Number(process.env['BENCH_MEMBERS'] ?? 1_000);
const DAYS = 31;

/** A month of an organization as a file in the order of its dates, a row a member and day: new, and once more. */
export async function daysTable(): Promise<string> {
  if (MEMBERS === 0) return '';
  const folder = mkdtempSync(join(tmpdir(), 'bench-days-'));
  const test_database = await freshDatabase();
  const { database } = test_database;
  try {
    const actor = await newActor(database);
    await database.withConnection(actor.organization_id, ({ query }) =>
      query(
        `INSERT INTO attendance_members (organization_id, id, name, searched_name, search_text, search_grams,
             employee_code, status, created_at, updated_at)
           SELECT $1, 'mem_' || lpad(n::text, 26, '0'), 'n' || n, 'n' || n, 'n' || n, '{}', 'E' || n, 'active', now(), now()
             FROM generate_series(1, $2::int) AS n`,
        [actor.organization_id, MEMBERS],
      ),
    );
    const workers = await importWorkers(test_database, folder);
    const imported = async (end: string) => {
      const file = { body: Readable.from([Buffer.from(monthOf(end))]), file_name: 'days.csv' };
      const domain = dayImport as unknown as ImportDomain;
      const { seconds, row } = await importStored({ database, folder, actor, file, domain });
      if (row.record_count !== MEMBERS * DAYS) throw new Error(`${row.record_count} days were written`);
      return Math.round((MEMBERS * DAYS) / seconds);
    };
    const [made, replaced] = [await imported('18:00'), await imported('19:00')];
    const peak = peakOf(workers);
    await workers.stop();
    return [
      '| days of a month | made/s | replaced/s | peak MiB |',
      '|---|---|---|---|',
      `| ${MEMBERS * DAYS} | ${made} | ${replaced} | ${peak} |`,
    ].join('\n');
  } finally {
    await test_database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function monthOf(end: string): string {
  const dates = Array.from({ length: DAYS }, (_, n) => `2026-10-${String(n + 1).padStart(2, '0')}`);
  const rows = dates.flatMap((date) =>
    Array.from({ length: MEMBERS }, (_, n) => `E${n + 1},${date},9:00,${end},12:00-13:00`),
  );
  return ['employee_code,work_date,clock_in,clock_out,breaks', ...rows].join('\r\n');
}
