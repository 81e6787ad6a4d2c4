import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { toldBy } from '../../support/facts.ts';
import { opened, several } from '../../support/opened-signing.ts';
import { newSender } from '../../support/signing.ts';
import { sentToGuests } from '../../support/signing-guests.ts';

const MINUTE = 60_000;
const BEGIN = new Date('2026-12-01T01:00:00.000Z');
let now = BEGIN;
const app = await startApp({ now: () => now });
app.context.settings.embeddedDatabase = true;

const signature = { signer: 's1', type: 'signature', page: 1, x: 0.1, y: 0.8, w: 0.25, h: 0.05 };

/** A document that one signer is asked for, who shows who they are in that way. */
async function asked(auth: string, signer: object = {}, fields: object = {}) {
  now = BEGIN;
  const sender = await newSender(app);
  const signers = [{ name: '田中 一郎', email: 'taro@example.jp', auth, ...signer }];
  const { document, guests } = await sentToGuests(app, sender, { signers, fields: [signature], ...fields });
  return { sender, document, guest: guests[0]!, organization_id: sender.actor.organization_id };
}

/** The types of the trail, and what a type says. */
async function trail(sender: Awaited<ReturnType<typeof newSender>>, id: string, type?: string) {
  const { body } = await sender.get(`/sign/documents/${id}/events?limit=100`);
  const items: { type: string; data: object }[] = body.items;
  return type
    ? items.filter((event) => event.type === type).map(({ data }) => data)
    : items.map((one) => one.type);
}

const wait = (milliseconds: number) => {
  now = new Date(now.getTime() + milliseconds);
};

const codesOf = (replies: { body: { code?: string } }[]) => replies.map(({ body }) => body.code ?? 'granted');

describe('GET /sign/s/{token}', () => {
  test('without access: what the mail said and nothing more, and nothing changes', async () => {
    const { guest, document, sender, organization_id } = await asked(
      'email_otp',
      {},
      { message: '秘密の伝言' },
    );
    const before = await trail(sender, document.id);
    const facts = await toldBy(app, organization_id, async () => {
      const { body, headers, text } = await guest.get();
      const { sender_name, organization_name, ...signing } = body.signing;
      assert.ok(sender_name && organization_name);
      assert.deepEqual(signing, {
        object: 'sign.signing',
        title: '業務委託契約書',
        status: 'sent',
        cancel_reason: null,
        signer: {
          id: guest.signer_id,
          name: '田中 一郎',
          email: 't***@example.jp',
          role: 'signer',
          status: 'notified',
        },
        auth: 'email_otp',
        access: 'none',
        expires_at: document.expires_at,
      });
      assert.ok(!text.includes('秘密') && !text.includes(document.file.sha256));
      assert.deepEqual(headers.getSetCookie(), []);
    });
    assert.deepEqual(facts, { events: [], audit: [] });
    assert.deepEqual(await trail(sender, document.id), before);
  });

  test('a browser is sent to the page; the link of a replaced signer, and an old one, are as unknown ones', async () => {
    const { guest, document, sender } = await asked('none');
    const page = await guest.get('', { Accept: 'text/html' });
    assert.deepEqual([page.status, page.headers.get('location')], [302, `/sign/${guest.token}`]);
    const path = `/sign/documents/${document.id}`;
    const replaced = await sender.post(`${path}/signers/${guest.signer_id}/replace`, {
      name: '鈴木',
      email: 'jiro@example.jp',
    });
    assert.equal(replaced.status, 200, replaced.text);
    const dead = await guest.get();
    assert.equal(dead.status, 404);
    assert.match(dead.body.detail, /^The link is not right, or does not open anything any more/);
    const other = await asked('none');
    await other.sender.post(`/sign/documents/${other.document.id}/cancel`);
    assert.equal((await other.guest.get()).body.signing.status, 'cancelled');
    wait(90 * 24 * 60 * MINUTE - 1);
    assert.equal((await other.guest.get()).status, 200);
    wait(1);
    const { body: late } = await other.guest.get();
    const { body: unknown } = await app.anonymous.get(`/sign/s/${'A'.repeat(43)}`);
    for (const { request_id, ...problem } of [late, unknown, dead.body]) {
      const { request_id: _, ...as_unknown } = unknown;
      assert.deepEqual(problem, as_unknown);
    }
  });

  test('the cookie of one link opens no other, of another organization neither', async () => {
    const one = await asked('none');
    const other = await asked('none');
    assert.equal((await one.guest.open()).status, 200);
    assert.equal((await other.guest.get('', { Cookie: one.guest.cookie })).body.signing.access, 'none');
    const refused = await other.guest.post('/decline', { reason: 'いいえ' }, { Cookie: one.guest.cookie });
    assert.deepEqual([refused.status, refused.body.code], [403, 'access_required']);
    const [first, second] = (await opened(app, several([1, 1]))).guests;
    assert.equal((await second!.get('', { Cookie: first!.cookie })).body.signing.access, 'none');
  });
});

describe('POST access', () => {
  test('without a code: the document, two cookies of two hours, and the signer has viewed it once', async () => {
    const { guest, document, sender, organization_id } = await asked('none');
    const facts = await toldBy(app, organization_id, async () => {
      const { body, headers } = await guest.open();
      assert.equal(body.signing.access, 'granted');
      assert.equal(body.signing.signer.status, 'viewed');
      assert.equal(body.signing.file.sha256, document.file.sha256);
      assert.equal(body.signing.fields.length, 1);
      assert.equal(body.signing.consent.version, '2026-11-01');
      const value = guest.cookie.split('=')[1];
      assert.deepEqual(
        headers.getSetCookie(),
        [`/sign/${guest.token}`, `/api/v1/sign/s/${guest.token}`].map(
          (path) => `service.sign=${value}; Max-Age=7200; Path=${path}; HttpOnly; SameSite=Lax`,
        ),
      );
      await guest.open();
    });
    assert.deepEqual(
      facts.events.map(({ type }: { type: string }) => type),
      ['sign.signer.viewed'],
    );
    assert.deepEqual((await trail(sender, document.id)).slice(-2), ['opened', 'opened']);
    assert.equal((await guest.get()).body.signing.access, 'granted');
    wait(120 * MINUTE);
    assert.equal((await guest.get()).body.signing.access, 'none');
  });

  test('422 for codes that are missing or not asked for, after the state', async () => {
    const { guest } = await asked('access_code', { access_code: '7Q4K-92' });
    for (const [body, path] of [
      [{}, '/access_code'],
      [{ access_code: '7Q4K-92', otp: '123456' }, '/otp'],
      [{ pin: '1' }, '/pin'],
    ] as const) {
      const { status, body: refused } = await guest.open(body);
      assert.deepEqual([status, refused.errors[0].path], [422, path]);
    }
    const later = await sentToGuests(app, await newSender(app), {
      signers: [
        { name: 'A', email: 'a@example.jp', auth: 'none' },
        { name: 'B', email: 'b@example.jp', auth: 'none', order_group: 2 },
      ],
      fields: [signature, { ...signature, signer: 's2' }],
    });
    const turn = await later.guests[1]!.open({ pin: '1' });
    assert.deepEqual([turn.status, turn.body.code], [409, 'not_your_turn']);
    wait(91 * 24 * 60 * MINUTE);
    assert.equal((await later.guests[1]!.open()).body.code, 'expired');
  });

  test('the fifth wrong code locks for 15 minutes, the right one too; the fifteenth until it is unlocked', async () => {
    const { guest, document, sender } = await asked('access_code', { access_code: '7Q4K-92' });
    const wrong = () => guest.open({ access_code: '7Q4K-93' });
    const left: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      for (let count = 0; count < 5; count++) {
        const { status, body } = await wrong();
        assert.equal(status, 403);
        left.push(body.attempts_left);
      }
      const right = await guest.open({ access_code: '7Q4K-92' });
      assert.deepEqual([right.status, right.body.code], [429, 'access_locked']);
      assert.equal(right.headers.get('retry-after'), round < 2 ? '900' : null);
      assert.equal((await guest.get()).body.signing.access, 'locked');
      wait(15 * MINUTE);
    }
    assert.deepEqual(left, [4, 3, 2, 1, 0, 4, 3, 2, 1, 0, 4, 3, 2, 1, 0]);
    const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
    assert.deepEqual([held.needs_attention, held.signers[0].locked_until], [true, null]);
    assert.equal((await guest.open({ access_code: '7Q4K-92' })).status, 429);
    await sender.post(`/sign/documents/${document.id}/signers/${guest.signer_id}/unlock`);
    assert.equal((await guest.open({ access_code: '7Q4K-92' })).status, 200);
    const types = await trail(sender, document.id);
    assert.equal(types.filter((type) => type === 'access_failed').length, 15);
    assert.equal(types.filter((type) => type === 'access_locked').length, 3);
  });

  test('50 wrong codes at once count one by one, and the right one among them gets nobody in', async () => {
    const { guest, document, sender } = await asked('access_code', { access_code: '7Q4K-92' });
    for (let count = 0; count < 4; count++) await guest.open({ access_code: 'wrong' });
    const tries = Array.from({ length: 50 }, (_, index) => guest.open({ access_code: `wrong-${index}` }));
    const codes = codesOf(await Promise.all(tries));
    assert.equal(codes.filter((code) => code === 'wrong_code').length, 1);
    assert.equal(codes.filter((code) => code === 'access_locked' || code === 'rate_limited').length, 49);
    assert.equal((await guest.open({ access_code: '7Q4K-92' })).body.code, 'access_locked');
    assert.equal((await trail(sender, document.id, 'access_failed')).length, 5);
  });
});

describe('a code by mail', () => {
  test('is kept as a hash, works once, for ten minutes, and alone', async () => {
    const { guest, organization_id } = await asked('email_otp');
    const { body } = await guest.post('/otp');
    assert.deepEqual(body, { otp: { sent_to: 't***@example.jp', valid_minutes: 10 } });
    const digits = await guest.mailedCode();
    assert.match(digits, /^\d{6}$/);
    const rows = await app.database.withConnection(organization_id, ({ query }) =>
      query('SELECT row_to_json(c)::text AS text FROM sign_codes c WHERE organization_id = $1', [
        organization_id,
      ]),
    );
    assert.ok(rows.length === 1 && !JSON.stringify(rows).includes(digits));
    assert.equal((await guest.open({ otp: digits })).status, 200);
    assert.equal((await guest.open({ otp: digits })).body.code, 'wrong_code');
    wait(MINUTE);
    await guest.post('/otp');
    const late = await guest.mailedCode();
    wait(10 * MINUTE);
    assert.equal((await guest.open({ otp: late })).body.code, 'wrong_code');
    await guest.post('/otp');
    const first = await guest.mailedCode();
    wait(MINUTE);
    await guest.post('/otp');
    const second = await guest.mailedCode();
    assert.equal((await guest.open({ otp: first })).body.code, first === second ? undefined : 'wrong_code');
  });

  test('429: one in 30 seconds, five an hour; 409 where none is asked for', async () => {
    const { guest } = await asked('email_otp');
    assert.equal((await guest.post('/otp')).status, 200);
    const soon = await guest.post('/otp');
    assert.deepEqual([soon.status, soon.headers.get('retry-after')], [429, '30']);
    for (let count = 0; count < 4; count++) {
      wait(MINUTE);
      assert.equal((await guest.post('/otp')).status, 200);
    }
    wait(MINUTE);
    assert.equal((await guest.post('/otp')).headers.get('retry-after'), String(55 * 60));
    const other = await asked('access_code', { access_code: '7Q4K-92' });
    assert.equal((await other.guest.post('/otp')).body.code, 'no_code_needed');
  });

  test('with an access code both are needed, and which one was wrong is not told', async () => {
    const { guest } = await asked('access_code_and_otp', { access_code: '7Q4K-92' });
    await guest.post('/otp');
    const otp = await guest.mailedCode();
    const bad = otp === '000000' ? '000001' : '000000';
    const refused = [
      await guest.open({ access_code: 'wrong', otp }),
      await guest.open({ access_code: '7Q4K-92', otp: bad }),
    ];
    for (const { body } of refused) assert.equal(body.code, 'wrong_code');
    assert.equal(refused[0]!.body.detail, refused[1]!.body.detail);
    assert.equal((await guest.open({ access_code: '7Q4K-92', otp })).status, 200);
  });

  test('of two tries at once with the same code one gets in', async () => {
    const { guest } = await asked('email_otp');
    await guest.post('/otp');
    const otp = await guest.mailedCode();
    const codes = codesOf(await Promise.all([guest.open({ otp }), guest.open({ otp })]));
    assert.deepEqual(codes.sort(), ['granted', 'wrong_code']);
  });
});

test('the page of another site does nothing with the cookie', async () => {
  const { guest } = await asked('none');
  await guest.open();
  for (const [name, value] of [
    ['Origin', 'https://elsewhere.example'],
    ['Sec-Fetch-Site', 'cross-site'],
  ] as const) {
    const reply = await guest.post('/decline', { reason: 'x' }, { [name]: value });
    assert.deepEqual([reply.status, reply.body.code], [403, 'access_required']);
  }
});

describe('who opens a document again and again', () => {
  test('waits after 20 times, since each stands on the certificate: 429 until the first is over', async () => {
    const { guest, sender, document } = await asked('none');
    for (let time = 0; time < 20; time += 1) assert.equal((await guest.open()).status, 200);
    const { status, body, headers } = await guest.post('/access', {});
    assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'rate_limited', '7200']);
    assert.equal((await guest.get()).body.signing.access, 'granted');
    assert.equal((await trail(sender, document.id, 'opened')).length, 20);
    wait(120 * MINUTE);
    assert.equal((await guest.open()).status, 200);
  });
});
