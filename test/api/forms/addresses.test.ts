import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { countAddress } from '../../../shared/forms/spam/address.ts';
import { startApp } from '../../support/app.ts';
import { jobStep } from '../../support/jobs.ts';
import { openForm } from '../../support/open-forms.ts';
import { formWith } from '../../support/uploads.ts';

// Two of them on one database, as two processes of the API are: nothing that one knows does the other know.
const app = await startApp();
const other = await startApp({
  database: { database: app.database, url: app.database_url, drop: async () => undefined },
});
const client = await app.actor();
const { organization_id } = client.actor;
const guests = [app.anonymous, other.anonymous];

const fields = [
  { id: 'email', type: 'email', label: 'メール' },
  { id: 'papers', type: 'file', label: '資料' },
];
const OPEN = { min_seconds: 0, max_links: 5, blocked_words: [], per_address: 0, challenge: 'off', burst: 30 };

const open = (spam: Record<string, unknown>) =>
  openForm(app.database, client.actor, fields, { settings: { spam: { ...OPEN, ...spam } } });

async function tokenOf(path: string) {
  const reply = await app.anonymous.post(`${path}/tokens`, {});
  assert.equal(reply.status, 201, reply.text);
  return reply.body as { form_token: string; challenge: { salt: string; bits: number } | null };
}

const statusesOf = (replies: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, own]) => [status, own.length]),
  );

const sideBySide = <T>(count: number, run: (place: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, place) => run(place)));

describe('what one address may do with a form in ten minutes', () => {
  test('20 submissions at once to two processes are as many as it may make', async () => {
    const { path } = await open({ per_address: 5 });
    const tokens = await sideBySide(20, () => tokenOf(path));
    const replies = await sideBySide(20, (place) =>
      guests[place % 2]!.post(`${path}/responses`, { form_token: tokens[place]!.form_token, data: {} }),
    );
    assert.deepEqual(statusesOf(replies), { 201: 5, 429: 15 });
    const refused = replies.find(({ status }) => status === 429)!;
    assert.equal(refused.body.code, 'rate_limited');
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 600, String(wait));
    const elsewhere = await open({ per_address: 5 });
    const { form_token } = await tokenOf(elsewhere.path);
    const free = await app.anonymous.post(`${elsewhere.path}/responses`, { form_token, data: {} });
    assert.equal(free.status, 201, 'each form counts its own');
  });

  test('and four times as many uploads', async () => {
    const { path } = await open({ per_address: 1 });
    const { form_token } = await tokenOf(path);
    const replies = await sideBySide(8, (place) =>
      guests[place % 2]!.post(`${path}/uploads`, formWith('a,b', { form_token, field_id: 'papers' })),
    );
    assert.deepEqual(statusesOf(replies), { 201: 4, 429: 4 });
    // Those of long ago do not count.
    await app.database.withConnection(organization_id, ({ query }) =>
      query(
        `UPDATE forms_files SET created_at = created_at - interval '10 minutes' WHERE address_hash IS NOT NULL`,
      ),
    );
    const again = await app.anonymous.post(
      `${path}/uploads`,
      formWith('a,b', { form_token, field_id: 'papers' }),
    );
    assert.equal(again.status, 201, again.text);
  });

  test('without a limit nothing is counted, and nothing kept of the address', async () => {
    const { form_id, path } = await open({ per_address: 0 });
    const { form_token } = await tokenOf(path);
    const sent = await app.anonymous.post(`${path}/responses`, { form_token, data: {} });
    assert.equal(sent.status, 201, sent.text);
    const rows = await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT address_hash FROM forms_responses WHERE organization_id = $1 AND form_id = $2', [
        organization_id,
        form_id,
      ]),
    );
    assert.deepEqual(rows, [{ address_hash: null }]);
  });

  test('of IPv6 it is the /64, and what is kept does not show it', async () => {
    const { form_id } = await open({});
    const hashOf = (ip_address: string, per_address = 60) =>
      jobStep(app, organization_id, (work) =>
        countAddress(work, 'upload', { form_id, ip_address, per_address }),
      );
    const hash = await hashOf('2001:db8:1:2::1');
    assert.equal(await hashOf('2001:db8:1:2:ffff:ffff:ffff:ffff'), hash);
    assert.notEqual(await hashOf('2001:db8:1:3::1'), hash);
    const plain = createHash('sha256').update('2001:db8:1:2::/64').digest('base64url');
    assert.ok(hash !== null && hash !== plain && !hash.includes('2001'));
    assert.notEqual(await hashOf('192.0.2.1'), await hashOf('192.0.2.2'));
    assert.equal(await hashOf('192.0.2.1', 0), null);
  });
});

describe('a proof of work', () => {
  const submit = (path: string, form_token: string, more: object = {}) =>
    app.anonymous.post(`${path}/responses`, { form_token, data: {}, ...more });

  const reasonsOf = (id: string) =>
    app.database.withConnection(organization_id, async ({ query }) => {
      const [row] = await query<{ spam_reasons: string[] }>(
        'SELECT spam_reasons FROM forms_responses WHERE organization_id = $1 AND id = $2',
        [organization_id, id],
      );
      return row!.spam_reasons;
    });

  test('is asked for after a burst; who opened the form before needs none, and without it the response is flagged', async () => {
    const { path } = await open({ challenge: 'on_burst', burst: 2 });
    const tokens = await sideBySide(3, () => tokenOf(path));
    assert.deepEqual(
      tokens.map(({ challenge }) => challenge),
      [null, null, null],
    );
    for (const { form_token } of tokens.slice(0, 2)) await submit(path, form_token);
    assert.equal((await tokenOf(path)).challenge, null, 'as many as allowed are no burst');
    const early = await submit(path, tokens[2]!.form_token);
    assert.deepEqual(await reasonsOf(early.body.response.id), []);
    const { form_token, challenge } = await tokenOf(path);
    assert.equal(challenge!.bits, 16);
    const flagged = await submit(path, form_token, { proof: '1' });
    assert.equal(flagged.status, 201, 'it is answered as a clean one');
    assert.deepEqual(await reasonsOf(flagged.body.response.id), ['no_proof']);
  });

  test('is good for its own form token', async () => {
    const { path } = await open({ challenge: 'always' });
    const { form_token, challenge } = await tokenOf(path);
    const proof = proofOf(challenge!.salt);
    const own = await submit(path, form_token, { proof });
    assert.deepEqual(await reasonsOf(own.body.response.id), []);
    const borrowed = await submit(path, (await tokenOf(path)).form_token, { proof });
    assert.deepEqual(await reasonsOf(borrowed.body.response.id), ['no_proof']);
  });
});

/** The least number that solves a challenge of 16 bits. */
function proofOf(salt: string): string {
  for (let number = 0; ; number += 1) {
    const digest = createHash('sha256').update(`${salt}:${number}`).digest();
    if (digest.readUInt16BE() === 0) return String(number);
  }
}
