import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { refuseOld } from '../../../shared/db/migrate/fitness.ts';
import { migrate, migrateDown, migrationStatus } from '../../../shared/db/migrate.ts';
import { StartupError } from '../../../shared/kernel/startup-error.ts';
import { testServer } from '../../support/postgres.ts';

const root = resolve(import.meta.dirname, '../../..');
const made: string[] = [];
let server: string;
let folder: string;

before(async () => {
  server = (await testServer()).url;
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  writeFileSync(join(folder, '0001_desks.ts'), migration('desks'));
  writeFileSync(join(folder, '0002_chairs.ts'), migration('chairs'));
});

after(async () => {
  rmSync(folder, { recursive: true });
  for (const name of made) await run(server, `DROP DATABASE ${name} WITH (FORCE)`);
});

describe('the migration to installations', () => {
  const waiting = /^1 mails wait in this database\. If it was restored .* renew/;

  it('says what to do where a restored database has mails that wait', async () => {
    const url = await newDatabase();
    const log = () => {};
    await migrate(url, { log });
    while ((await migrationStatus(url)).find(({ name }) => name === '0026_installations')?.applied)
      await migrateDown(url, { log });
    const again: string[] = [];
    await run(
      url,
      `INSERT INTO mails (organization_id, id, purpose, about, locale, status, created_at, updated_at)
       VALUES ('org_x', 'mail_1', 'invitation', '{}', 'ja', 'queued', now(), now())`,
    );
    await migrate(url, { log: (sentence) => again.push(sentence) });
    assert.ok(
      again.some((sentence) => waiting.test(sentence)),
      again.join('\n'),
    );
  });
});

describe('migrating up', () => {
  it('applies what is missing, in order, and nothing twice', async () => {
    const url = await newDatabase();
    const told: string[] = [];
    await migrate(url, { log: (sentence) => told.push(sentence), folder });
    await migrate(url, { log: (sentence) => told.push(sentence), folder });
    assert.deepEqual(told, ['Migration 0001_desks is applied.', 'Migration 0002_chairs is applied.']);
    assert.deepEqual(await run(url, 'SELECT count(*)::integer AS n FROM chairs'), [{ n: 0 }]);
  });

  it('is done once when several ask at the same time', async () => {
    const url = await newDatabase();
    const told: string[] = [];
    const log = (sentence: string) => void (/applied/.test(sentence) && told.push(sentence));
    await Promise.all([1, 2, 3].map(() => migrate(url, { log, folder })));
    assert.equal(told.length, 2);
  });

  it('leaves a migration that fails, and its record, undone', async () => {
    const url = await newDatabase();
    const broken = mkdtempSync(join(tmpdir(), 'migrations-'));
    writeFileSync(join(broken, '0001_desks.ts'), migration('desks'));
    writeFileSync(
      join(broken, '0002_wrong.ts'),
      migration('chairs').replace(
        'up(knex) {',
        `up(knex) { await knex.raw('CREATE TABLE half ()'); await knex.raw('NONSENSE');`,
      ),
    );
    await assert.rejects(migrate(url, { log: () => {}, folder: broken }), /NONSENSE/);
    assert.deepEqual(
      await run(url, `SELECT to_regclass('half') AS half, to_regclass('desks')::text AS desks`),
      [{ half: null, desks: 'desks' }],
    );
    await migrate(url, { log: () => {}, folder });
    rmSync(broken, { recursive: true });
  });

  it('leaves a database alone that is ahead of this release', async () => {
    const url = await newDatabase();
    await migrate(url, { log: () => {}, folder });
    await run(
      url,
      `INSERT INTO knex_migrations (name, batch, migration_time) VALUES ('0003_later', 3, '2026-01-01')`,
    );
    const told: string[] = [];
    await migrate(url, { log: (sentence) => told.push(sentence), folder });
    assert.deepEqual(told, []);
  });
});

describe('migrating down', () => {
  it('takes back one at a time, and up works again', async () => {
    const url = await newDatabase();
    await migrate(url, { log: () => {}, folder });
    await migrateDown(url, { log: () => {}, folder });
    assert.deepEqual(await migrationStatus(url, folder), [
      { name: '0001_desks', applied: true },
      { name: '0002_chairs', applied: false },
    ]);
    await migrate(url, { log: () => {}, folder });
    assert.equal(
      (await migrationStatus(url, folder)).every(({ applied }) => applied),
      true,
    );
  });
});

describe('a database that cannot serve', () => {
  it('is refused for its encoding', async () => {
    const url = await newDatabase(`ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`);
    await assert.rejects(
      migrate(url, { log: () => {}, folder }),
      (error) => error instanceof StartupError && /encoding SQL_ASCII/.test(error.message),
    );
  });

  it('is refused for a locale to which Japanese letters are none', async () => {
    const url = await newDatabase(`ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0`);
    await assert.rejects(
      migrate(url, { log: () => {}, folder }),
      (error) => error instanceof StartupError && /lc_ctype C,/.test(error.message),
    );
    assert.deepEqual(await run(url, `SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'`), []);
  });

  it('is refused for a server older than PostgreSQL 15', () => {
    assert.throws(
      () => refuseOld(140_012),
      (error) =>
        error instanceof StartupError && /is PostgreSQL 14: PostgreSQL 15 or newer/.test(error.message),
    );
    refuseOld(150_000);
    refuseOld(180_004);
  });

  it('is refused when it does not answer', async () => {
    await assert.rejects(
      migrate('postgres://nobody@127.0.0.1:1/none', { log: () => {}, folder }),
      StartupError,
    );
  });
});

describe('npm run migrate', () => {
  it('applies the migrations of the service, says so, and ends with 0', async () => {
    const url = await newDatabase();
    assert.match(await command(url, 'up'), /0001_platform is applied.*\nexit 0$/s);
    assert.match(await command(url, 'status'), /^applied {2}0001_platform.*\nexit 0$/s);
    assert.match(await command(url, 'down'), /is taken back\.\nexit 0$/);
  });

  it('says in one sentence what is missing, and ends with 1', async () => {
    assert.equal(
      await command('', 'up'),
      'DATABASE_URL is required: npm start migrates the embedded database by itself.\nexit 1',
    );
    assert.equal(await command('', 'sideways'), 'Say one of up, down, status.\nexit 1');
  });
});

function migration(table: string): string {
  return `export async function up(knex) { await knex.raw('CREATE TABLE ${table} (id text)'); }
export async function down(knex) { await knex.raw('DROP TABLE ${table}'); }\n`;
}

async function command(url: string, word: string): Promise<string> {
  const child = spawn(process.execPath, ['start/migrate-command.ts', word], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return `${output}exit ${code}`;
}

async function newDatabase(options = ''): Promise<string> {
  const name = `migrate_${process.pid}_${made.length}`;
  await run(server, `CREATE DATABASE ${name} ${options}`);
  made.push(name);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function run(url: string, text: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
