import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { purgeTrash } from '../../../shared/cloud/trash/purge.ts';
import { takeAttempt, triesOfShareFromAnywhere } from '../../../shared/platform/access/attempts.ts';
import { startApp } from '../../support/app.ts';
import { newOffice } from '../../support/cloud.ts';
import { guestOf, share, sharedFile, sharedFolder, TEXT } from '../../support/shares.ts';

const DAY = 24 * 60 * 60_000;
/** Milliseconds by which the clock goes ahead. */
let passed = 0;
const app = await startApp({ now: () => new Date(Date.now() + passed) });
const { read, content, head } = guestOf(app);
const later = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

describe('a share that has ended', () => {
  const ends: Record<string, (given: Awaited<ReturnType<typeof sharedFolder>>) => Promise<unknown>> = {
    'is taken back': ({ owner, shared }) => owner.delete(`/cloud/shares/${shared.id}`),
    'shows what is in the trash': ({ owner, folder }) => owner.delete(`/cloud/folders/${folder.id}`),
    'shows what lies below the trash': ({ owner, above }) => owner.delete(`/cloud/folders/${above.id}`),
    'shows what was purged': async ({ owner, folder }) => {
      await owner.delete(`/cloud/folders/${folder.id}`);
      await owner.delete(`/cloud/trash/${folder.id}`);
      await purgeTrash(app.database, new Date(), new AbortController().signal);
    },
    'is of an organization without shares': ({ owner }) =>
      owner.patch('/cloud/settings', { shares_enabled: false }),
  };
  for (const [what, end] of Object.entries(ends)) {
    test(`410: ${what}`, async () => {
      const given = await sharedFolder(app);
      const calls = () => [read(given.shared), content(given.shared, '/a.txt')];
      for (const reply of await Promise.all(calls())) assert.equal(reply.status, 200, reply.text);
      await end(given);
      for (const reply of await Promise.all(calls())) {
        assert.deepEqual([reply.status, reply.body.code], [410, 'share_ended']);
      }
      const bare = await head(given.shared, '/a.txt');
      assert.equal(bare.status, 410);
    });
  }

  test('410: its time is over, and 403 before it begins', async () => {
    const { shared } = await sharedFile(app, { starts_at: later(DAY), expires_at: later(2 * DAY) });
    const early = await read(shared);
    assert.deepEqual([early.status, early.body.code], [403, 'share_not_started']);
    assert.match(early.body.starts_at, /^\d{4}-/);
    passed = DAY;
    assert.equal((await read(shared)).status, 200);
    passed = 2 * DAY;
    assert.equal((await read(shared)).body.code, 'share_ended');
    passed = 0;
  });

  test('410: who made it has left, has another role, or no right any more; it comes back with that', async () => {
    const owner = await newOffice(app);
    const member = await owner.colleague();
    const folder = await owner.folder('公開');
    await owner.file('a.txt', 'abc', folder.id);
    const shared = await share(member, { folder_id: folder.id });
    const access = (role: string) =>
      owner.put(`/cloud/folders/${folder.id}/access`, {
        mode: 'restricted',
        grants: [{ type: 'user', id: member.user_id, role }],
      });
    await access('viewer');
    assert.equal((await read(shared)).body.code, 'share_ended');
    await access('editor');
    assert.equal((await content(shared, '/a.txt')).status, 200);
    const leave = (left_at: string | null) =>
      app.database.withConnection(owner.organization_id, ({ query }) =>
        query('UPDATE members SET left_at = $3 WHERE organization_id = $1 AND user_id = $2', [
          owner.organization_id,
          member.user_id,
          left_at,
        ]),
      );
    await leave(later(0));
    assert.equal((await read(shared)).body.code, 'share_ended');
    assert.equal((await content(shared, '/a.txt')).body.code, 'share_ended');
  });

  test('404: there never was one', async () => {
    for (const token of ['0'.repeat(64), 'x', 'A'.repeat(43)]) {
      assert.equal((await app.anonymous.get(`/cloud/s/${token}`)).body.code, 'not_found');
      assert.equal((await app.anonymous.get(`/cloud/s/${token}/content`)).body.code, 'not_found');
    }
  });
});

describe('the password of a share', () => {
  const password = 'quiet-river-42';
  const sent = (text: string) => ({ 'Share-Password': text });

  test('403 without it and with another one, 200 with it', async () => {
    const { shared } = await sharedFile(app, { password });
    for (const headers of [{}, sent('another-river')]) {
      for (const reply of [await read(shared, '', headers), await content(shared, '', headers)]) {
        assert.deepEqual([reply.status, reply.body.code], [403, 'share_password']);
      }
    }
    assert.equal((await read(shared, '', sent(password))).status, 200);
    assert.equal((await content(shared, '', sent(password))).text, TEXT);
  });

  test('429: after 10 wrong ones, of many at once too; of this share and this address alone', async () => {
    const { owner, file, shared } = await sharedFile(app, { password });
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, n) => read(shared, '', sent(`wrong-${n}`))),
    );
    const counts = Object.groupBy(replies, ({ body }) => body.code);
    assert.deepEqual([counts['share_password']?.length, counts['rate_limited']?.length], [10, 4]);
    const right = await content(shared, '', sent(password));
    assert.equal(right.status, 429);
    assert.ok(Number(right.headers.get('retry-after')) > 0);
    const other = await share(owner, { file_id: file.id, password });
    assert.equal((await read(other, '', sent(password))).status, 200);
  });

  test('429: after 100 wrong ones of many addresses, for all but who has proven it', async () => {
    const proxied = await startApp({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } });
    const { shared } = await sharedFile(proxied, { password });
    const guest = guestOf(proxied);
    const from = (address: string, text: string) => ({ ...sent(text), 'X-Forwarded-For': address });
    const tryIn = (address: string, text: string) => guest.read(shared, '', from(address, text));
    assert.equal((await tryIn('192.0.2.1', password)).status, 200);
    await proxied.database.withConnection('org_none', async (connection) => {
      const tries = triesOfShareFromAnywhere(shared.id);
      for (let n = 0; n < 96; n += 1) assert.equal(await takeAttempt(connection, tries, new Date()), 0);
    });
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => tryIn(`198.51.100.${n}`, `wrong-${n}`)),
    );
    const counts = Object.groupBy(replies, ({ body }) => body.code);
    assert.deepEqual([counts['share_password']?.length, counts['rate_limited']?.length], [4, 6]);
    assert.equal((await tryIn('192.0.2.1', password)).status, 200);
    assert.equal((await tryIn('192.0.2.1', 'wrong')).status, 429);
  });

  test('right ones are no guesses, however many come at once', async () => {
    const { owner, shared } = await sharedFile(app, { password });
    const replies = await Promise.all(Array.from({ length: 30 }, () => content(shared, '', sent(password))));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    await owner.patch(`/cloud/shares/${shared.id}`, { password: 'another-river' });
    assert.equal((await content(shared, '', sent(password))).body.code, 'share_password');
    assert.equal((await content(shared, '', sent('another-river'))).status, 200);
  });
});
