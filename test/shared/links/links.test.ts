import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { turnKey } from '../../../shared/platform/links/keys.ts';
import { findLink, type LinkFor, newLink, useLink } from '../../../shared/platform/links/links.ts';
import type { LinkPurpose } from '../../../shared/platform/links/purpose.ts';
import { derivedToken, tokenFrom } from '../../../shared/platform/links/token.ts';
import {
  accountOf,
  emailVerificationLinks,
  passwordResetLinks,
} from '../../../shared/platform/mailer/account-tokens.ts';
import { invitationLinks } from '../../../shared/platform/mailer/invitation-tokens.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const emailVerificationRandom: LinkPurpose = { ...emailVerificationLinks, token: 'random' };
const now = new Date('2026-11-21T00:00:00.000Z');
const later = new Date(now.getTime() + 60_000);

/** Runs statements in a transaction of their own. */
function inTransaction<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
  return database.withConnection('*', async (connection) => {
    await connection.query('BEGIN');
    try {
      const result = await run(connection);
      await connection.query('COMMIT');
      return result;
    } catch (error) {
      await connection.query('ROLLBACK');
      throw error;
    }
  });
}

async function make(purpose: LinkPurpose, about: LinkFor): Promise<string> {
  const newToken = () => tokenFrom(randomBytes(32));
  const making = { now, base_url: 'https://service.example', newToken };
  const url = await inTransaction((connection) => newLink({ ...making, connection }, purpose, about));
  assert.ok(url.startsWith(`https://service.example${purpose.page}/`), url);
  return url.slice(url.lastIndexOf('/') + 1);
}

async function stateOf(purpose: LinkPurpose, token: string, at = later): Promise<string | undefined> {
  return (await database.withConnection('*', (c) => findLink(c, purpose, token, at)))?.state;
}

function use(purpose: LinkPurpose, token: string): Promise<boolean> {
  return inTransaction(async (connection) => (await useLink(connection, purpose, token, later)) !== null);
}

function turn(ends_links: boolean): Promise<number | null> {
  const turning = { now, drawn: randomBytes(32), ends_links };
  return inTransaction((connection) => turnKey(connection, emailVerificationLinks.name, turning));
}

describe('a derived link', () => {
  const about = (user: string, serial: string): LinkFor => ({ ...accountOf(user), bound_to: 'a', serial });

  test('is the same for the same mail, and another for another mail, user or generation', async () => {
    const first = await make(emailVerificationLinks, about('usr_1', 'mail_1'));
    assert.match(first, /^[0-9a-f]{64}$/);
    const shorter = await make(
      { ...emailVerificationLinks, derived_as: undefined },
      about('usr_1', 'mail_1'),
    );
    assert.match(shorter, /^[A-Za-z0-9_-]{42}[A-Za-z0-9]$/);
    assert.equal(await make(emailVerificationLinks, about('usr_1', 'mail_1')), first);
    const others = [
      await make(emailVerificationLinks, about('usr_1', 'mail_2')),
      await make(emailVerificationLinks, about('usr_2', 'mail_1')),
    ];
    assert.ok(await use(emailVerificationLinks, first));
    others.push(await make(emailVerificationLinks, about('usr_1', 'mail_1')));
    assert.equal(new Set([first, ...others]).size, 4);
    assert.equal(await stateOf(emailVerificationLinks, first), 'used');
  });

  test('is another one for another organization or another bound value, and opens only its own', async () => {
    const shared = { record_id: 'record_1', serial: 'mail_1' };
    const abouts: LinkFor[] = [
      { ...shared, organization_id: 'org_a' },
      { ...shared, organization_id: 'org_b' },
      { ...shared, organization_id: 'org_a', bound_to: 'a@example.com' },
      { ...shared, organization_id: 'org_a', bound_to: 'b@example.com' },
      { ...shared, organization_id: 'org_a', bound_to: '' },
    ];
    for (const about of abouts) {
      const token = await make(emailVerificationLinks, about);
      const { organization_id, bound_to = null } = about;
      const found = await database.withConnection('*', (c) =>
        findLink(c, emailVerificationLinks, token, later),
      );
      assert.deepEqual([found?.organization_id, found?.bound_to], [organization_id, bound_to]);
    }
  });

  test('differs where only the border between its parts differs', () => {
    const key = Buffer.alloc(32);
    assert.notEqual(derivedToken(key, ['a\nb', 'c']), derivedToken(key, ['a', 'b\nc']));
    assert.notEqual(derivedToken(key, ['a', null]), derivedToken(key, ['a', '']));
    assert.notEqual(derivedToken(key, ['1']), derivedToken(key, [1]));
  });

  test('made by many at once, while there is no key yet: one link', async () => {
    await inTransaction((connection) => connection.query('DELETE FROM link_keys'));
    const tokens = await Promise.all(
      Array.from({ length: 6 }, () => make(emailVerificationLinks, about('usr_many', 'mail_1'))),
    );
    assert.equal(new Set(tokens).size, 1);
    assert.equal(await stateOf(emailVerificationLinks, tokens[0]!), 'living');
  });

  test('goes on when the key is turned, and ends where that is asked for; no link made meanwhile is lost', async () => {
    const old = await make(emailVerificationLinks, about('usr_3', 'mail_3'));
    const serial = await turn(false);
    assert.notEqual(await make(emailVerificationLinks, about('usr_3', 'mail_3')), old);
    assert.equal(await stateOf(emailVerificationLinks, old), 'living');
    const [ended, ...made] = await Promise.all([
      turn(true),
      ...Array.from({ length: 5 }, (_, index) =>
        make(emailVerificationLinks, about('usr_4', `mail_${index}`)),
      ),
    ]);
    assert.equal(ended, serial! + 1);
    assert.equal(await stateOf(emailVerificationLinks, old), 'revoked');
    const fresh = await make(emailVerificationLinks, about('usr_3', 'mail_3'));
    assert.equal(await stateOf(emailVerificationLinks, fresh), 'living');
    const kept = await database.withConnection('*', ({ query }) =>
      query<{ serial: number }>('SELECT serial FROM link_keys WHERE length(key) > 0'),
    );
    assert.deepEqual(kept, [{ serial: ended }], 'the keys that ended are erased');
    for (const token of made) {
      assert.match((await stateOf(emailVerificationLinks, token)) ?? 'unknown', /living|revoked/);
    }
  });

  test('ends for a use too that has found it living before the key was turned', async () => {
    const token = await make(emailVerificationLinks, about('usr_overtaken', 'mail_1'));
    const used = await inTransaction((connection) => {
      const query: Connection['query'] = async (text, ...rest) => {
        const rows = await connection.query(text, ...rest);
        if (text.includes('FROM links l')) await turn(true);
        return rows as never;
      };
      return useLink({ ...connection, query }, emailVerificationLinks, token, later);
    });
    assert.equal(used, null);
    assert.equal(await stateOf(emailVerificationLinks, token), 'revoked');
  });

  test('cannot be turned where none was ever made', async () => {
    const turning = { now, drawn: randomBytes(32), ends_links: false };
    assert.equal(await inTransaction((c) => turnKey(c, 'no_such_purpose', turning)), null);
  });
});

describe('a random link', () => {
  test('never takes over the link of another record that has its token', async () => {
    const token = tokenFrom(randomBytes(32));
    const makeWith = (purpose: LinkPurpose, about: LinkFor, at: Date) =>
      inTransaction((connection) =>
        newLink({ connection, now: at, base_url: '', newToken: () => token }, purpose, about),
      );
    const about = { ...accountOf('usr_8'), bound_to: 'a' };
    await makeWith(passwordResetLinks, about, now);
    const stored = () => database.withConnection('*', (c) => findLink(c, passwordResetLinks, token, now));
    const made = await stored();
    for (const other of [
      { ...about, organization_id: 'org_b' },
      { ...about, record_id: 'usr_9' },
      { ...about, bound_to: 'b' },
    ]) {
      await assert.rejects(makeWith(passwordResetLinks, other, later), /belongs to another link/);
    }
    await assert.rejects(makeWith(emailVerificationRandom, about, later), /belongs to another link/);
    assert.deepEqual(await stored(), made);
  });

  test('opens nothing under another purpose, and nothing when a letter differs', async () => {
    const token = await make(passwordResetLinks, { ...accountOf('usr_5'), bound_to: 'a' });
    assert.equal(await stateOf(passwordResetLinks, token), 'living');
    assert.equal(await stateOf(emailVerificationLinks, token), undefined);
    const altered = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    assert.equal(await stateOf(passwordResetLinks, altered), undefined);
  });

  test('of many uses of one record at once, by its several links, one succeeds', async () => {
    const tokens = await Promise.all(
      [1, 2, 3].map(() => make(passwordResetLinks, { ...accountOf('usr_6'), bound_to: 'a' })),
    );
    const uses = await Promise.all([...tokens, ...tokens].map((token) => use(passwordResetLinks, token)));
    assert.equal(uses.filter(Boolean).length, 1);
    const states = await Promise.all(tokens.map((token) => stateOf(passwordResetLinks, token)));
    assert.deepEqual(states.toSorted(), ['revoked', 'revoked', 'used']);
  });

  test('made by many at once where one may live: one does', async () => {
    const about = { organization_id: 'org_a', record_id: 'invt_1' };
    const tokens = await Promise.all([1, 2, 3, 4].map(() => make(invitationLinks, about)));
    const states = await Promise.all(tokens.map((token) => stateOf(invitationLinks, token)));
    assert.deepEqual(states.toSorted(), ['living', 'revoked', 'revoked', 'revoked']);
    const elsewhere = { organization_id: 'org_b', record_id: 'invt_1' };
    await make(invitationLinks, elsewhere);
    assert.equal(await stateOf(invitationLinks, tokens[states.indexOf('living')]!), 'living');
  });
});
