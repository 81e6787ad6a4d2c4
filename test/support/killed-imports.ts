import type { ChildProcess } from 'node:child_process';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createMailList } from '../../shared/mail/lists/operations.ts';
import type { ImportRecord } from '../../shared/platform/imports/record.ts';
import { diskStorage } from '../../shared/platform/storage/disk.ts';
import { newActor, type TestActor } from './actors.ts';
import type { TestDatabase } from './database.ts';
import { importsOf } from './imports.ts';
import { askForImport, endOfImport } from './stored-imports.ts';
import { until } from './until.ts';

/** A process of workers that can be ended at once. */
export type Killable = { kill(): Promise<void>; process?: ChildProcess };

export type KilledImport = {
  test_database: TestDatabase;
  /** DATA_DIR of the workers. */
  folder: string;
  rows: number;
  kills: number;
  start: () => Promise<Killable>;
  random: () => number;
};

/** What an import left: all that is to be equal whatever happened to its workers. */
export type Left = {
  counts: Record<string, number | null>;
  contacts: string;
  errors: string;
  members: number;
};

/**
 * Imports one file for two organizations: undisturbed, and with the workers killed at random moments. Answers what each
 * left, row by row in a digest.
 */
export async function killedImport(asked: KilledImport): Promise<{ undisturbed: Left; killed: Left }> {
  let workers = await asked.start();
  const undisturbed = await begun(asked);
  const calm = await endOfImport(undisturbed, undisturbed.row.id);
  const disturbed = await begun(asked);
  for (let count = 0; count < asked.kills; count += 1) {
    const target = (asked.rows * (count + asked.random())) / (asked.kills + 1);
    await until(
      'the import goes on',
      async () => {
        const row = await rowOf(asked, disturbed.actor, disturbed.row.id);
        return row.processed_rows >= target || row.finished_at !== null;
      },
      300_000,
    );
    await pause(asked.random() * 100);
    await workers.kill();
    workers = await asked.start();
  }
  const done = await endOfImport(disturbed, disturbed.row.id);
  await workers.kill();
  return {
    undisturbed: await leftBy(asked, undisturbed.actor, calm),
    killed: await leftBy(asked, disturbed.actor, done),
  };
}

async function begun({ test_database, folder, rows }: KilledImport) {
  const { database } = test_database;
  const actor = await newActor(database);
  const imports = importsOf({ database: test_database, actor, storage: diskStorage(folder) });
  const { id: list_id } = await imports.act(async (work) => createMailList(work, { name: '客' }));
  const file = { body: Readable.from(parts(rows), { objectMode: false }), file_name: 'list.csv' };
  const options = { list_id, keep_unmapped: true };
  const row = await askForImport({ database, folder, actor, file, options });
  return { database, actor, row };
}

/** Addresses of which some come again with another name, some later by thousands of rows, and some are none. */
function* parts(rows: number): Generator<Buffer> {
  yield Buffer.from('email,first_name,last_name,company\r\n');
  for (let at = 0; at < rows; at += 1) {
    const whose = at % 20 === 3 ? Math.floor(at / 2) : at;
    const email = at % 50 === 7 ? 'no address' : `person${whose}@example.co.jp`;
    yield Buffer.from(`${email},花子${at % 7},${at % 3 ? '山田' : 'Yamada'},"会社, ${at % 11}"\r\n`);
  }
}

async function rowOf({ test_database }: KilledImport, actor: TestActor, id: string): Promise<ImportRecord> {
  return test_database.database.withConnection(actor.organization_id, async ({ query }) => {
    const text = 'SELECT * FROM imports WHERE organization_id = $1 AND id = $2';
    return (await query<ImportRecord>(text, [actor.organization_id, id]))[0]!;
  });
}

async function leftBy({ test_database }: KilledImport, actor: TestActor, row: ImportRecord): Promise<Left> {
  const { organization_id } = actor;
  const [left] = await test_database.database.withConnection(organization_id, ({ query }) =>
    query<{ contacts: string; errors: string; members: number }>(
      `SELECT (SELECT md5(string_agg(md5(concat_ws('|', email_key, email, first_name, last_name, full_name, status,
                 attributes, consent, search_text, import_id = $2)), '' ORDER BY email_key))
                 FROM mail_contacts WHERE organization_id = $1) AS contacts,
              (SELECT md5(string_agg(concat_ws('|', row, code, "column", message, cells), '' ORDER BY id))
                 FROM import_errors WHERE organization_id = $1 AND import_id = $2) AS errors,
              (SELECT count(*) FROM mail_list_members WHERE organization_id = $1 AND list_id = $3) AS members`,
      [organization_id, row.id, row.list_id],
    ),
  );
  const { status, total_rows, processed_rows, created_count, updated_count } = row;
  const { unchanged_count, skipped_count, duplicate_count, suppressed_count, error_count } = row;
  const counts = {
    is_completed: Number(status === 'completed'),
    total_rows,
    processed_rows,
    created_count,
    updated_count,
    unchanged_count,
    skipped_count,
    duplicate_count,
    suppressed_count,
    error_count,
  };
  return { counts, ...left! };
}
