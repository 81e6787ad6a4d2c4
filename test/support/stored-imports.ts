import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Database } from '../../shared/db/database.ts';
import { transaction } from '../../shared/db/transaction.ts';
import { Work } from '../../shared/kernel/work.ts';
import { mailContactImport } from '../../shared/mail/imports/domain.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';
import { createImport } from '../../shared/platform/imports/operations.ts';
import type { CommonOptions } from '../../shared/platform/imports/options.ts';
import { LIMITS } from '../../shared/platform/imports/reading/row.ts';
import type { ImportRecord } from '../../shared/platform/imports/record.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import { keepFile, storeFile } from '../../shared/platform/storage/loose-files.ts';
import type { TestActor } from './actors.ts';
import { until } from './until.ts';

export type ImportedFile = { body: Readable; file_name: string };

export type StoredImport = {
  database: Database;
  /** DATA_DIR of the workers that run it. */
  folder: string;
  actor: TestActor;
  file: ImportedFile;
  options?: Record<string, unknown>;
  /** Mail contacts unless said. */
  domain?: ImportDomain;
};

/** Stores a file and asks for its import as an upload does; answers the import's row as it is then. */
export async function askForImport({
  database,
  folder,
  actor,
  file,
  options = {},
  domain = mailContactImport as unknown as ImportDomain,
}: StoredImport): Promise<ImportRecord> {
  const storage = diskStorage(join(folder, 'files'));
  const { organization_id, user_id } = actor;
  const files = { database, storage };
  const now = new Date();
  const stored = await storeFile(files, {
    organization_id,
    area: 'uploads',
    body: file.body,
    limit: 300 * 2 ** 20,
    now,
  });
  const head = await buffer(await storage.read(stored.storage_key, { start: 0, end: LIMITS.head_bytes - 1 }));
  const types = { media_type: 'text/csv', content_type: 'text/plain' };
  const uploaded = {
    ...stored,
    file_name: file.file_name,
    ...types,
    scan: 'off' as const,
    finding: null,
    head,
  };
  const who = { type: 'user', id: user_id, user_id, role: 'owner', grants: ['*'] } as const;
  return database.withConnection(organization_id, (connection) =>
    transaction(connection, async (commit) => {
      const by = { actor: who, now: new Date(), request_id: null, ip_address: null };
      const work = new Work({ connection, organization_id, ...by });
      await keepFile(work, stored.storage_key);
      const parsed = domain.options.parse(options) as CommonOptions;
      const { row } = await createImport(work, domain, { file: uploaded, options: parsed });
      await commit(work.finish());
      return row;
    }),
  );
}

/** The import once it has ended in whatever way. */
export async function endOfImport(
  { database, actor }: Pick<StoredImport, 'database' | 'actor'>,
  id: string,
  limit = 1_800_000,
): Promise<ImportRecord> {
  return until(
    'the import ends',
    () =>
      database.withConnection(actor.organization_id, async ({ query }) => {
        const text =
          'SELECT * FROM imports WHERE organization_id = $1 AND id = $2 AND finished_at IS NOT NULL';
        return (await query<ImportRecord>(text, [actor.organization_id, id]))[0];
      }),
    limit,
  );
}

/** Seconds from the request to the end of an import that some workers take. */
export async function importStored(stored: StoredImport): Promise<{ row: ImportRecord; seconds: number }> {
  const { id } = await askForImport(stored);
  const began = performance.now();
  const row = await endOfImport(stored, id);
  const seconds = (performance.now() - began) / 1000;
  if (row.status !== 'completed')
    throw new Error(`The import is ${row.status}: ${JSON.stringify(row.error)}`);
  return { row, seconds };
}
