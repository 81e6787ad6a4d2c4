import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import { readStartSettings } from '../../../shared/platform/settings/settings.ts';
import { databaseCure, redisCure } from '../../../start/doctor/cures.ts';
import { databaseChecks } from '../../../start/doctor/database.ts';
import { findingOf } from '../../../start/doctor/finding.ts';
import { surroundingChecks } from '../../../start/doctor/surroundings.ts';
import { freePort } from '../../support/free-port.ts';
import { locked } from '../../support/locked-folder.ts';
import { testServer } from '../../support/postgres.ts';
import { has_redis, startRedis } from '../../support/redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'doctor-cures-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const closed = await freePort();

/** What a check of the surroundings says of these settings. */
function found(name: string, environment: Record<string, string>) {
  const settings = readStartSettings({ DATA_DIR: folder, ...environment });
  return findingOf(surroundingChecks(settings).find((each) => each.name === name)!);
}

describe('npm run doctor says what to do', () => {
  test('where PostgreSQL is not reached', async () => {
    const { url } = await testServer();
    const changed = (change: (address: URL) => void) => {
      const address = new URL(url);
      change(address);
      return address.href;
    };
    for (const [databaseUrl, what] of [
      [`postgres://u:hidden@127.0.0.1:${closed}/x`, /ECONNREFUSED.*\. Look at host and port of DATABASE_URL/],
      ['postgres://u:hidden@db.invalid/x', /\. Look at the host of DATABASE_URL/],
      [
        changed((it) => (it.password = 'hidden')),
        /password auth.*\. Look at user and password of DATABASE_URL/,
      ],
      [changed((it) => (it.pathname = '/nowhere')), /does not exist\. Look at the database, /],
      [
        changed((it) => (it.search = '?sslmode=require')),
        /SSL connections\. Look at sslmode of DATABASE_URL/,
      ],
    ] as const) {
      const [check] = databaseChecks({ databaseUrl, databaseDirectUrl: databaseUrl });
      const { grade, words } = await findingOf(check!);
      assert.equal(grade, 'fail');
      assert.match(words, what);
      assert.doesNotMatch(words, /hidden/);
    }
  });

  test('where PostgreSQL does not let it in, by the name of the setting', () => {
    const refused = Object.assign(new Error('no pg_hba.conf entry for host "10.0.0.1"'), { code: '28000' });
    assert.match(
      databaseCure(new Error('does not answer', { cause: refused }), 'DATABASE_DIRECT_URL'),
      /^Look at the user of DATABASE_DIRECT_URL, and at pg_hba\.conf/,
    );
    assert.equal(databaseCure(new Error('something else'), 'DATABASE_URL'), '');
  });

  test('where Redis is not reached', { skip: !has_redis }, async () => {
    const redis = await startRedis();
    after(() => redis.stop());
    const client = new Redis(redis.url);
    await client.config('SET', 'requirepass', 'right');
    client.disconnect();
    const { port } = new URL(redis.url);
    for (const [REDIS_URL, what] of [
      [`redis://127.0.0.1:${closed}`, /ECONNREFUSED.*\. Look at host and port of REDIS_URL/],
      ['redis://redis.invalid', /\. Look at the host of REDIS_URL/],
      [redis.url, /NOAUTH.*\. Look at user and password of REDIS_URL/],
      [`redis://:hidden@127.0.0.1:${port}`, /WRONGPASS.*\. Look at user and password of REDIS_URL/],
    ] as const) {
      const { grade, words } = await found('redis', { REDIS_URL });
      assert.equal(grade, 'fail');
      assert.match(words, what);
      assert.doesNotMatch(words, /hidden/);
    }
    const untrusted = Object.assign(new Error('self-signed certificate'), {
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    const away = new Error('Redis of REDIS_URL does not answer', { cause: untrusted });
    assert.match(redisCure(away), /^Look at TLS: redis:\/\/ .* rediss:\/\/ .* NODE_EXTRA_CA_CERTS/);
    assert.match(
      redisCure(new Error("READONLY You can't write against a read only replica.")),
      /the primary/,
    );
  });

  test('where the folder of files cannot be used', async () => {
    const own = join(folder, 'own');
    mkdirSync(join(own, 'files'), { recursive: true });
    await locked(join(own, 'files'), async () => {
      const { grade, words } = await found('files', { DATA_DIR: own });
      assert.equal(grade, 'fail');
      assert.match(words, /EACCES.*\. DATA_DIR and all in it must belong to .*: chown -R \d+ .*\/own gives/);
    });
    const file = join(folder, 'file');
    writeFileSync(file, '');
    assert.match((await found('files', { DATA_DIR: file })).words, /\. DATA_DIR must be a folder/);
    assert.equal((await found('files', { DATA_DIR: own })).grade, 'ok');
    assert.deepEqual(readdirSync(join(own, 'files')), []);
  });
});
