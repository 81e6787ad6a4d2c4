import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newActor, type TestActor } from '../../support/actors.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { type Server, startServer } from '../servers.ts';

/** The API as a process of its own, with an organization that has no quota. */
export type BenchOffice = {
  server: Server;
  database: TestDatabase['database'];
  actor: TestActor;
  headers: { authorization: string };
  /** For files, on the disk that the service writes to. */
  folder: string;
  environment: Record<string, string>;
  end(): Promise<void>;
};

/** `environment` adds to that of the process. */
export async function openOffice(environment: Record<string, string> = {}): Promise<BenchOffice> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 3_600_000 });
  const folder = mkdtempSync(join(process.env['BENCH_FOLDER'] ?? tmpdir(), 'bench-cloud-'));
  const all = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
    CLOUD_QUOTA_BYTES: '0',
    ...environment,
  };
  const server = await startServer('ours', 'api/main.ts', all);
  const actor = await newActor(database);
  return {
    server,
    database,
    actor,
    headers: { authorization: `Bearer ${actor.secret}` },
    folder,
    environment: all,
    async end() {
      await server.stop();
      await drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
