import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { secretKeysOf, secretsKeyFrom } from '../../shared/platform/secrets/keys.ts';
import { readStartSettings } from '../../shared/platform/settings/settings.ts';
import { findingOf } from '../../start/doctor/finding.ts';
import { secrets } from '../../start/doctor/secrets.ts';
import { startApp } from '../support/app.ts';
import { freePort } from '../support/free-port.ts';
import { testServer } from '../support/postgres.ts';
import { has_redis, startRedis } from '../support/redis.ts';
import { startS3 } from '../support/s3.ts';
import { testSealKey } from '../support/seal-keys.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { startStampAuthority } from '../support/stamp-authority.ts';

const app = await startApp();
const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = resolve(import.meta.dirname, '../..');
const DAY = 24 * 60 * 60_000;
const AUTH_SECRET = 'a secret of the tests, long enough';

type Report = { code: number; text: string; grade: (name: string) => string | undefined };

function doctor(environment: Record<string, string>): Promise<Report> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder, ...environment };
  return new Promise((done) => {
    const words = ['start/doctor-command.ts'];
    execFile(process.execPath, words, { cwd: root, env }, (error, out, errors) => {
      const text = out + errors;
      const grade = (name: string) => new RegExp(`^(ok|warn|fail) +${name} `, 'm').exec(text)?.[1];
      done({ code: Number(error?.code ?? 0), text, grade });
    });
  });
}

describe('npm run doctor', () => {
  test('finds nothing wrong where all is right, and leaves no file and no mail behind', async () => {
    const store = await startS3();
    const sink = await smtpSink();
    const authority = await startStampAuthority();
    const { code, text, grade } = await doctor({
      DATABASE_URL: app.database_url,
      AUTH_SECRET,
      BASE_URL: app.base_url,
      STORAGE_URL: store.url,
      SMTP_URL: sink.url,
      MAIL_FROM: 'billing@example.jp',
      SIGN_TSA_URL: authority.url,
    });
    assert.equal(code, 0, text);
    const names = [
      'database',
      'text',
      'migrations',
      'addresses',
      'clock',
      'redis',
      'files',
      'scanner',
      'mail',
      'mailbox',
      'pdf',
    ];
    for (const name of [...names, 'timestamps', 'disk', 'address']) assert.equal(grade(name), 'ok', text);
    assert.match(text, /\nNothing fails\.\n$/);
    assert.deepEqual(store.objects(), []);
    assert.equal(sink.texts, 0);
  });

  test('says of each thing that is away what it is, ends with 1 and prints no secret', async () => {
    const closed = await freePort();
    const { code, text, grade } = await doctor({
      DATABASE_URL: `postgres://u:hidden@127.0.0.1:${closed}/x`,
      AUTH_SECRET,
      REDIS_URL: `redis://:hidden@127.0.0.1:${closed}`,
      STORAGE_URL: `s3://KEY:hidden@127.0.0.1:${closed}/files?tls=false`,
      CLAMD_URL: `tcp://127.0.0.1:${closed}`,
      SMTP_URL: `smtp://u:hidden@127.0.0.1:${closed}`,
      MAIL_FROM: 'billing@example.jp',
      BOUNCE_MAILBOX_URL: `imaps://u:hidden@127.0.0.1:${closed}`,
      CHROME_PATH: '/nowhere/chromium',
      SIGN_P12: '/nowhere/seal.p12',
      SIGN_TSA_URL: `http://127.0.0.1:${closed}/tsa`,
      BASE_URL: 'http://api.example.jp',
    });
    assert.equal(code, 1, text);
    for (const name of [
      'settings',
      'database',
      'migrations',
      'clock',
      'redis',
      'files',
      'scanner',
      'mail',
      'mailbox',
      'pdf',
      'seal',
      'timestamps',
    ])
      assert.equal(grade(name), 'fail', text);
    assert.match(text, /ECONNREFUSED/);
    assert.doesNotMatch(text, /hidden/);
    assert.doesNotMatch(text, /^ +at /m);
  });

  test('says what to look at where the mail server cannot be used', async () => {
    const closed = await freePort();
    const locked = await smtpSink({ password: () => 'another one' });
    const behind = new URL(locked.url);
    [behind.username, behind.password] = ['office', 'hidden'];
    const port = new URL(locked.url).port;
    for (const [SMTP_URL, what] of [
      [`smtp://127.0.0.1:${closed}`, /ECONNREFUSED.* Look at host and port of SMTP_URL/],
      ['smtp://mail.invalid:25', /\((ENOTFOUND|EAI_AGAIN|EDNS)\).* Look at the host of SMTP_URL/],
      [behind.href, /535.* Look at user and password of SMTP_URL/],
      [`smtps://127.0.0.1:${port}`, /WRONG_VERSION_NUMBER.* Look at TLS: smtp:\/\/ .* smtps:\/\/ /],
    ] as const) {
      const { text, grade } = await doctor({ SMTP_URL, MAIL_FROM: 'billing@example.jp' });
      assert.equal(grade('mail'), 'fail', text);
      const line = text.split('\n').find((each) => /^fail +mail /.test(each));
      assert.match(line ?? '', what);
      assert.doesNotMatch(text, /hidden/);
    }
  });

  test('warns of certificates that end soon: of the key that seals, and of the time-stamping authority', async () => {
    const begun = new Date(Date.now() + 30.5 * DAY);
    begun.setUTCFullYear(begun.getUTCFullYear() - 15);
    const { settings } = await testSealKey(begun);
    const authority = await startStampAuthority({ days: 20 });
    const { code, text, grade } = await doctor({ DATA_DIR: settings.dataDir, SIGN_TSA_URL: authority.url });
    assert.deepEqual([grade('seal'), grade('timestamps'), code], ['warn', 'warn', 0], text);
    assert.match(
      text,
      /^warn +seal .*, whose certificate ends in 30 days: set SIGN_P12 to a new one before\.$/m,
    );
    assert.match(text, /^warn +timestamps .*\(Stamps\) ends in (19|20) days: ask the authority/m);
  });

  test('finds a database without its schema', async () => {
    const { url } = await testServer();
    const name = `doctor_${process.pid}`;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
      const own = new URL(url);
      own.pathname = `/${name}`;
      const report = await doctor({ DATABASE_URL: own.href, AUTH_SECRET });
      assert.equal(report.code, 1);
      assert.equal(report.grade('database'), 'ok', report.text);
      assert.match(report.text, /^fail +migrations +\d+ migrations wait, .* npm run migrate/m);
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.end();
    }
  });

  test('takes the settings of workers, which have no AUTH_SECRET, for what they are', async () => {
    const { code, text } = await doctor({ DATABASE_URL: app.database_url });
    assert.match(text, /^warn +settings +AUTH_SECRET is not set: that is right where only workers run, /m);
    assert.match(
      text,
      /^warn +secrets +Neither SECRETS_KEY nor AUTH_SECRET is set, .* Set SECRETS_KEY for all/m,
    );
    assert.equal(code, 0, text);
  });

  test('tells whether the keys of the settings open what is kept', async () => {
    const [SECRETS_KEY, another] = ['a'.repeat(32), 'b'.repeat(32)];
    const own = { DATABASE_URL: app.database_url, AUTH_SECRET };
    const sealWith = async (setting: string) => {
      const client = new pg.Client({ connectionString: app.database_url });
      await client.connect();
      await client.query(
        `WITH made AS (
           INSERT INTO organizations (id, name, slug, api_version, created_at, updated_at)
           VALUES ('org_kept', 'Kept', 'kept', '2026-01-01', now(), now()) ON CONFLICT DO NOTHING)
         INSERT INTO sealed_secrets (organization_id, purpose, record_id, key_id, sealed, sealed_at)
         VALUES ('org_kept', 'mail.dkim', 'news', $1, '', now())
         ON CONFLICT (organization_id, purpose, record_id) DO UPDATE SET key_id = excluded.key_id`,
        [secretKeysOf({ secretsKey: setting }).present!.id],
      );
      await client.end();
    };
    const lineWith = async (environment: Record<string, string>) => {
      const { text, code } = await doctor({ ...own, ...environment });
      return { code, line: text.split('\n').find((each) => / secrets /.test(each)) ?? text };
    };
    await sealWith(another);
    const lost = await lineWith({ SECRETS_KEY });
    assert.equal(lost.code, 1);
    assert.match(
      lost.line,
      /^fail +secrets +1 kept secrets were encrypted with another key\. Set SECRETS_KEY /,
    );
    const waiting = await lineWith({ SECRETS_KEY, PREVIOUS_SECRETS_KEY: another });
    assert.equal(waiting.code, 0);
    assert.match(waiting.line, /^warn +secrets +1 kept .* PREVIOUS_SECRETS_KEY: .* turn-secrets-key /);
    const keyless = await findingOf({
      name: 'secrets',
      run: () => secrets(readStartSettings({ DATABASE_URL: app.database_url })),
    });
    assert.equal(keyless.grade, 'fail');
    assert.match(keyless.words, /^1 secrets are kept\. Neither SECRETS_KEY nor AUTH_SECRET /);
    await sealWith(SECRETS_KEY);
    assert.match((await lineWith({ SECRETS_KEY })).line, /^ok +secrets /);
    await sealWith(secretsKeyFrom(AUTH_SECRET));
    assert.match((await lineWith({})).line, /^warn +secrets +SECRETS_KEY is not set: workers /);
  });

  test('asks a Redis how it treats its keys', { skip: !has_redis }, async () => {
    const redis = await startRedis();
    const { text, grade } = await doctor({ REDIS_URL: redis.url });
    assert.equal(grade('redis'), 'ok', text);
    await redis.stop();
  });

  test('tries to write into Redis: one that is full refuses', { skip: !has_redis }, async () => {
    const redis = await startRedis();
    after(() => redis.stop());
    await redis.fill();
    const { code, text, grade } = await doctor({ REDIS_URL: redis.url });
    assert.equal(grade('redis'), 'fail', text);
    assert.match(text, /^fail +redis +Redis of REDIS_URL refuses: OOM command not allowed/m);
    assert.equal(code, 1);
  });

  test('works without a database and a service, and refuses a wrong setting in a sentence', async () => {
    const port = await freePort();
    const { code, text, grade } = await doctor({ PORT: String(port) });
    assert.equal(code, 0, text);
    assert.equal(grade('database'), 'warn');
    assert.equal(grade('address'), 'warn');
    assert.deepEqual(readdirSync(join(folder, 'files')), []);
    const wrong = await doctor({ SIGN_UP: 'closed' });
    assert.deepEqual([wrong.code, wrong.text], [1, 'SIGN_UP must be one of open, invited.\n']);
  });
});
