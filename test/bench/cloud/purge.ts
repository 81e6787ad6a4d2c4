import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { seedTree } from '../../support/many-files.ts';
import { filled } from '../../support/plans.ts';
import { quantile } from '../imports/measuring.ts';
import { startServer } from '../servers.ts';
import { call, callsMeanwhile, told } from './calls.ts';
import { type BenchOffice, openOffice } from './office.ts';

const FILES = Number(process.env['BENCH_ROWS'] ?? 100_000);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 20);
/** Calls a second: an office at work, far from what the API can do, so that waiting shows. */
const RATE = Number(process.env['BENCH_RATE'] ?? 30);

/** How long other calls take while a folder of 100,000 files is purged, beside how long they take without. */
export async function purge(): Promise<string> {
  const office = await openOffice();
  const { database, actor, environment } = office;
  try {
    const { root, other } = await filled(environment['DATABASE_URL']!, async () => ({
      root: await seedTree(database, actor, { name: 'Hundred', folders: 100, files: FILES }),
      other: await seedTree(database, actor, { name: 'Flat', folders: 0, files: FILES }),
    }));
    return await callsBesidePurge(office, root, other);
  } finally {
    await office.end();
  }
}

/** Its rows go first, then its bytes. */
async function callsBesidePurge(office: BenchOffice, root: string, other: string): Promise<string> {
  const { database, actor, environment } = office;
  const files = await writeBytes(office, root);
  const workers = await startServer('workers', 'workers/main.ts', environment);
  const next = (n: number) => nextCall(office, other, n);
  const after = (seconds: number) => {
    const end = performance.now() + seconds * 1000;
    return () => performance.now() > end;
  };
  try {
    await callsMeanwhile(RATE, next, after(3));
    const idle = await callsMeanwhile(RATE, next, after(SECONDS));
    await call(office, 'DELETE', `/folders/${root}`);
    await call(office, 'DELETE', `/trash/${root}`);
    const left = { rows: files, bytes: files };
    const looking = new AbortController();
    const look = async () => {
      while (!looking.signal.aborted) {
        left.rows = await database.withConnection(actor.organization_id, async ({ query }) => {
          const text =
            'SELECT count(*)::int AS count FROM cloud_items WHERE organization_id = $1 AND is_purged';
          const [row] = await query<{ count: number }>(text, [actor.organization_id]);
          return row!.count;
        });
        const [loose] = await database.withConnection(actor.organization_id, ({ query }) =>
          query<{ count: number }>(
            'SELECT count(*)::int AS count FROM loose_files WHERE organization_id = $1',
            [actor.organization_id],
          ),
        );
        left.bytes = loose!.count;
        await pause(250);
      }
    };
    const watching = look();
    const began = performance.now();
    const rows = await callsMeanwhile(RATE, next, () => left.rows === 0);
    const row_seconds = (performance.now() - began) / 1000;
    const most = left.bytes;
    while (left.bytes > most - 500) await pause(100);
    const bytes_began = performance.now();
    const before = left.bytes;
    const bytes = await callsMeanwhile(RATE, next, after(SECONDS));
    const byte_rate = ((before - left.bytes) * 1000) / (performance.now() - bytes_began);
    looking.abort();
    await watching;
    const ratio = (took: number[]) => (quantile(took, 0.95) / quantile(idle, 0.95)).toFixed(2);
    return [
      `| ${files} files | calls | p50 ms | p95 ms | p95/idle (aim 2) | a second |`,
      '|---|---|---|---|---|---|',
      `| idle | ${idle.length} | ${told(idle)} | | |`,
      `| beside rows that go | ${rows.length} | ${told(rows)} | ${ratio(rows)} | ${Math.round(files / row_seconds)} |`,
      `| beside bytes that go | ${bytes.length} | ${told(bytes)} | ${ratio(bytes)} | ${Math.round(byte_rate)} |`,
    ].join('\n');
  } finally {
    await workers.stop();
  }
}

/** What an office does: lists, files, a small upload now and then. */
function nextCall(office: BenchOffice, folder_id: string, n: number): Promise<{ took: number }> {
  if (n % 10 === 0)
    return call(office, 'PUT', `/folders/root/files/note-${Math.random()}`, Buffer.from(`${n}`));
  if (n % 3 === 0) return call(office, 'GET', `/folders/${folder_id}/children?limit=50`);
  if (n % 3 === 1) return call(office, 'GET', `/files?folder_id=${folder_id}&limit=20&sort=name:asc`);
  return call(office, 'GET', `/folders/${folder_id}`);
}

/** Gives the files below a folder their bytes, as an upload would have; answers how many they are. */
async function writeBytes({ database, actor, folder }: BenchOffice, root: string): Promise<number> {
  const rows = await database.withConnection(actor.organization_id, ({ query }) =>
    query<{ storage_key: string }>(
      `INSERT INTO files (organization_id, storage_key, file_name, declared_type, content_type, size, sha256, scan, created_at)
       SELECT organization_id, storage_key, name, '', content_type, size_bytes, sha256, 'off', created_at FROM cloud_items
        WHERE organization_id = $1 AND kind = 'file' AND storage_key LIKE '%/' || $2::text || '-%'
       RETURNING storage_key`,
      [actor.organization_id, root],
    ),
  );
  if (rows.length > 0) mkdirSync(dirname(join(folder, 'files', rows[0]!.storage_key)), { recursive: true });
  for (const { storage_key } of rows) writeFileSync(join(folder, 'files', storage_key), 'bytes');
  return rows.length;
}
