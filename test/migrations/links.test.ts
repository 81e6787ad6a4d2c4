import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../shared/db/database.ts';
import { migrate, migrateDown, migrationStatus } from '../../shared/db/migrate.ts';
import { findLink, newLink, useLink } from '../../shared/platform/links/links.ts';
import { emailVerificationLinks, passwordResetLinks } from '../../shared/platform/mailer/account-tokens.ts';
import { invitationLinks } from '../../shared/platform/mailer/invitation-tokens.ts';
import { testServer } from '../support/postgres.ts';

const name = `links_migration_${process.pid}`;
const quiet = { log: () => {} };
const now = new Date('2026-11-21T00:00:00.000Z');
const later = new Date(now.getTime() + 60_000);
let server: string;
let url: string;
let client: pg.Client;

before(async () => {
  server = (await testServer()).url;
  await once(server, `CREATE DATABASE ${name}`);
  url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await migrate(url, quiet);
  client = new pg.Client({ connectionString: url });
  await client.connect();
  await downTo('0032_links.ts');
  await client.query(`
    INSERT INTO users (id, name, email, locale, created_at, updated_at)
      VALUES ('usr_1', 'A', 'a@example.com', 'ja', now(), now());
    INSERT INTO organizations VALUES ('org_a', 'A', 'a', '2026-02-22', now(), now());
    INSERT INTO members (organization_id, id, user_id, role, joined_at, created_at, updated_at)
      VALUES ('org_a', 'mem_1', 'usr_1', 'owner', now(), now(), now());
    INSERT INTO invitations (organization_id, id, email, role, status, invited_by, expires_at, created_at, updated_at)
      VALUES ('org_a', 'invt_1', 'b@example.com', 'member', 'pending', 'usr_1', now(), now(), now());`);
});

after(async () => {
  await client.end();
  await once(server, `DROP DATABASE ${name} WITH (FORCE)`);
});

/** The statements of the release before, as it sends them. */
const before0032 = {
  makeReset: (token: string) =>
    client.query(
      `INSERT INTO account_tokens (token_hash, user_id, purpose, email, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [hashOf(token), 'usr_1', 'password_reset', 'a@example.com', now, new Date(now.getTime() + 3_600_000)],
    ),
  useReset: (token: string) =>
    client.query(
      `UPDATE account_tokens t SET used_at = $3 FROM users u
       WHERE t.token_hash = $1 AND t.purpose = $2 AND t.used_at IS NULL AND t.expires_at > $3
         AND u.id = t.user_id AND u.email = t.email
       RETURNING t.user_id, t.email`,
      [hashOf(token), 'password_reset', later],
    ),
  invite: async (token: string) => {
    const of = ['org_a', 'invt_1'];
    await client.query('DELETE FROM invitation_tokens WHERE organization_id = $1 AND invitation_id = $2', of);
    await client.query(
      'INSERT INTO invitation_tokens (token_hash, organization_id, invitation_id) VALUES ($1, $2, $3)',
      [hashOf(token), ...of],
    );
  },
  openInvitation: (token: string) =>
    client.query(
      `SELECT i.id FROM invitation_tokens t
       JOIN invitations i ON i.organization_id = t.organization_id AND i.id = t.invitation_id
       WHERE t.token_hash = $1`,
      [hashOf(token)],
    ),
  sweep: (until: Date) =>
    client.query(
      `DELETE FROM account_tokens WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM account_tokens WHERE expires_at < $1 LIMIT 5000 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
      [until],
    ),
};

describe('links across the migration', () => {
  const [reset, used, invitation] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [
    string,
    string,
    string,
  ];

  test('those that were sent before it go on working after it', async () => {
    await before0032.makeReset(reset);
    await before0032.makeReset(used);
    await before0032.useReset(used);
    await before0032.invite(invitation);
    await migrate(url, quiet);
    await withLinks(async (find) => {
      assert.equal(await find(passwordResetLinks, reset), 'living');
      assert.equal(await find(passwordResetLinks, used), 'used');
      assert.equal(await find(invitationLinks, invitation), 'living');
    });
  });

  test('the release before goes on making, opening, using and sweeping them beside this one', async () => {
    const database = openDatabase({ url, pool_size: 1, application_name: 'test' });
    const making = { now, base_url: 'https://service.example' };
    await database.withConnection('*', async (connection) => {
      const make = (purpose: typeof invitationLinks, token: string, record: object) =>
        newLink({ ...making, connection, newToken: () => token }, purpose, record as never);
      const account = { organization_id: 'org_none', record_id: 'usr_1', bound_to: 'a@example.com' };
      const invited = { organization_id: 'org_a', record_id: 'invt_1' };

      // What this release makes is used by the one before, and the other way round.
      await make(passwordResetLinks, '1'.repeat(64), account);
      assert.equal((await before0032.useReset('1'.repeat(64))).rowCount, 1);
      assert.equal(await useLink(connection, passwordResetLinks, '1'.repeat(64), later), null);
      assert.ok(await useLink(connection, passwordResetLinks, reset, later));
      assert.equal((await before0032.useReset(reset)).rowCount, 0);
      // The release before takes 64 hexadecimal digits alone for a token, derived ones too.
      const verification = { ...account, record_id: 'usr_1', serial: 'mail_1' };
      assert.match(
        await make(emailVerificationLinks, '7'.repeat(64), verification),
        /\/verify-email\/[0-9a-f]{64}$/,
      );
      // The use has raised the generation: a link that the release before makes now is of the present one.
      await before0032.makeReset('2'.repeat(64));
      assert.ok(await useLink(connection, passwordResetLinks, '2'.repeat(64), later));

      // Each replaces the invitation's link of the other.
      await make(invitationLinks, '3'.repeat(64), invited);
      assert.equal((await before0032.openInvitation(invitation)).rowCount, 0);
      assert.equal((await before0032.openInvitation('3'.repeat(64))).rowCount, 1);
      await before0032.invite('4'.repeat(64));
      assert.equal(await findLink(connection, invitationLinks, '3'.repeat(64), now), null);
      const found = await findLink(connection, invitationLinks, '4'.repeat(64), now);
      assert.equal(found?.state, 'living');
    });
    await database.end();
    await before0032.makeReset('5'.repeat(64));
    assert.ok(((await before0032.sweep(new Date(now.getTime() + 7_200_000))).rowCount ?? 0) > 0);
    const left = await client.query("SELECT 1 FROM links WHERE purpose = 'password_reset'");
    assert.equal(left.rowCount, 0);
  });

  test('those that this release sent go on working when it is taken back', async () => {
    await before0032.makeReset('6'.repeat(64));
    await downTo('0032_links.ts');
    assert.equal((await before0032.openInvitation('4'.repeat(64))).rowCount, 1);
    assert.equal((await before0032.useReset('6'.repeat(64))).rowCount, 1);
    await migrate(url, quiet);
  });
});

async function withLinks(
  run: (
    find: (purpose: typeof invitationLinks, token: string) => Promise<string | undefined>,
  ) => Promise<void>,
): Promise<void> {
  const database = openDatabase({ url, pool_size: 1, application_name: 'test' });
  await database.withConnection('*', (connection) =>
    run(async (purpose, token) => (await findLink(connection, purpose, token, later))?.state),
  );
  await database.end();
}

/** Takes migrations back until that one is not applied any more. */
async function downTo(migration: string): Promise<void> {
  const isApplied = async () =>
    (await migrationStatus(url)).some((each) => each.name === migration && each.applied);
  while (await isApplied()) await migrateDown(url, quiet);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

async function once(address: string, text: string): Promise<void> {
  const one = new pg.Client({ connectionString: address });
  await one.connect();
  await one.query(text).finally(() => one.end());
}
