import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import type { Connection } from '../../../shared/kernel/connection.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { turnKey } from '../../../shared/platform/links/keys.ts';
import { findLink } from '../../../shared/platform/links/links.ts';
import { endLinksOf, linkOf, signLinks } from '../../../shared/sign/links/links.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const organization_id = 'org_a';
const now = new Date('2026-12-01T00:00:00.000Z');
const base_url = 'https://service.example';

function write<T>(run: (connection: Connection, end: (signer_id: string) => void) => Promise<T>): Promise<T> {
  return database.withConnection('*', (connection) =>
    inWork(
      { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
      (work) => run(connection, (signer_id) => endLinksOf(work, signer_id)),
      { may_change_nothing: true },
    ),
  );
}

const make = (id: string) =>
  write((connection) => linkOf({ connection, now, base_url }, { organization_id, id }));

async function stateOf(url: string): Promise<string | undefined> {
  const token = url.slice(url.lastIndexOf('/') + 1);
  const much_later = new Date('2031-12-01T00:00:00.000Z');
  return (await database.withConnection('*', (c) => findLink(c, signLinks, token, much_later)))?.state;
}

test("a signer's link is the same in every mail, and another for every signer", async () => {
  const link = await make('signer_1');
  assert.match(link, /^https:\/\/service\.example\/sign\/[A-Za-z0-9_-]{43}$/);
  assert.equal(await make('signer_1'), link);
  assert.notEqual(await make('signer_2'), link);
  assert.equal(await stateOf(link), 'living');
});

test('its token stands nowhere in the database', async () => {
  const token = (await make('signer_3')).split('/').at(-1);
  const rows = await write((c) =>
    c.query<Record<string, unknown>>('SELECT * FROM links WHERE record_id = $1', ['signer_3']),
  );
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(token!));
  const hash = createHash('sha256').update(token!).digest();
  assert.deepEqual(rows[0]!['token_hash'], hash);
});

test('a replaced signer gets another link, and the old one has ended', async () => {
  const old = await make('signer_4');
  const other = await make('signer_5');
  await write(async (_, end) => end('signer_4'));
  assert.equal(await stateOf(old), 'revoked');
  const fresh = await make('signer_4');
  assert.notEqual(fresh, old);
  assert.deepEqual([await stateOf(fresh), await stateOf(other)], ['living', 'living']);
});

test('turning the key ends every link, and the next mails carry others', async () => {
  const old = await make('signer_6');
  const turning = { now, drawn: randomBytes(32), ends_links: true };
  assert.equal(await write((connection) => turnKey(connection, 'sign.link', turning)), 2);
  assert.equal(await stateOf(old), 'revoked');
  const fresh = await make('signer_6');
  assert.notEqual(fresh, old);
  assert.equal(await stateOf(fresh), 'living');
});
