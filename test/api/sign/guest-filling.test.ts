import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import {
  type Asked,
  events,
  idOf,
  opened,
  ownSignature,
  several,
  shownFields,
  signatureOf,
} from '../../support/opened-signing.ts';
import { newSender } from '../../support/signing.ts';
import { guestOf, SIGNATURE, sentToGuests, type TestGuest } from '../../support/signing-guests.ts';

const BEGIN = new Date('2026-12-01T16:00:00.000Z');
const app = await startApp({ now: () => BEGIN });
app.context.settings.embeddedDatabase = true;
const asked = (fields?: object) => opened(app, fields);

/** The mails that were asked for since the invitations, and to whom: a signer's ID, or the sender. */
const mailsOf = async ({ sender: { actor }, document }: Pick<Asked, 'sender' | 'document'>) =>
  (
    await app.database.withConnection(actor.organization_id, ({ query }) =>
      query<{ kind: string; to: string }>(
        `SELECT kind, coalesce(signer_id, 'sender') AS to FROM sign_mails
          WHERE organization_id = $1 AND document_id = $2 ORDER BY position`,
        [actor.organization_id, document.id],
      ),
    )
  )
    .slice(document.signers.filter(({ status }: { status: string }) => status !== 'waiting').length)
    .map(({ kind, to }) => [kind, to]);

/** Of the entries of a change history: what was done to what, and which columns changed. */
const changedBy = (audit: { entity_type: string; action: string; changes: object }[]) =>
  audit.map(({ entity_type, action, changes }) => [action, entity_type, Object.keys(changes).sort()]);

const statusesIn = ({ signers }: { signers: { status: string }[] }) => signers.map(({ status }) => status);

describe('PUT fields', () => {
  test('keeps a value until null clears it, and tells nobody', async () => {
    const { guest, sender } = await asked();
    const id = await idOf(guest, 'address');
    const facts = await toldBy(app, sender.actor.organization_id, async () => {
      const { status, body } = await guest.put(`/fields/${id}`, { value: '東京都港区' });
      assert.deepEqual([status, body.field.value], [200, '東京都港区']);
    });
    assert.deepEqual(facts, { events: [], audit: [] });
    const value = async () => (await shownFields(guest)).find((field) => field.id === id)!.value;
    assert.equal(await value(), '東京都港区');
    assert.equal((await guest.put(`/fields/${id}`, { value: null })).body.field.value, null);
    assert.equal(await value(), null);
  });

  test('422 at /value for what the field does not take', async () => {
    const { guest } = await asked();
    const code = async (key: string, value: unknown) => {
      const { status, body } = await guest.put(`/fields/${await idOf(guest, key)}`, { value });
      return status === 200 ? null : faultsIn(body)[0];
    };
    assert.equal(await code('plan', '週払い'), '/value invalid_value');
    assert.equal(await code('agreed', 'はい'), '/value invalid_value');
    assert.equal(await code('count', '十'), '/value invalid_value');
    assert.equal(await code('address', 'あ'.repeat(41)), '/value too_long');
    assert.equal(await code('day', '2026-12-01'), '/value not_allowed');
    assert.equal(await code('fixed', '別の値'), '/value read_only');
    assert.equal(await code('fixed', '固定'), null);
    assert.equal(await code('address', '\u{1F600}'), '/value bad_characters');
    assert.equal(
      await code('sign_here', { kind: 'image', data: 'iVBORw0KGgoAAAANSUhEUg==' }),
      '/value broken_image',
    );
    assert.equal(await code('count', 1_100_000.5), null);
  });

  test('413 for many values that are no points; 422 for more points than a drawing may have', async () => {
    const { guest } = await asked();
    const path = `/fields/${await idOf(guest, 'sign_here')}`;
    const drawn = (strokes: unknown) => guest.put(path, { value: { kind: 'drawn', strokes } });
    const many = <Point>(point: Point) => [Array.from({ length: 21_000 }, () => point)];
    for (const wrong of [many(['', '']), many([2, 0.5]), many([0.5]), [many([0.5, 0.5])]]) {
      const { status, body, text } = await drawn(wrong);
      assert.deepEqual([status, body.code], [413, 'too_many_values'], text);
    }
    const { status, body } = await drawn(many([0.5, 1]));
    assert.deepEqual([status, faultsIn(body)], [422, ['/value/strokes too_large']]);
    const values = Object.fromEntries(Array.from({ length: 21_000 }, (_, n) => [`k${n}`, 0]));
    assert.equal((await guest.sign(values)).body.code, 'too_many_values');
  });

  test('says of each value what it must be', async () => {
    const { guest } = await asked();
    const told = async (key: string, value: unknown) => {
      const { body } = await guest.put(`/fields/${await idOf(guest, key)}`, { value });
      const [{ path, code, message }] = body.errors;
      return `${path} ${code}: ${message}`;
    };
    const signature = 'a signature: an object whose kind is typed, drawn or image';
    for (const [key, value, fault] of [
      [
        'sign_here',
        { kind: 'written' },
        '/value/kind invalid_value: value.kind must be "typed", "drawn", "image", "text"',
      ],
      ['sign_here', {}, '/value/kind required: value.kind is required: "typed", "drawn", "image", "text"'],
      [
        'sign_here',
        { kind: 'image', data: 'abc' },
        '/value/data invalid_image: value.data must be a PNG or a JPEG in base64',
      ],
      ['sign_here', '田中', `/value invalid_value: value must be ${signature}`],
      ['sign_here', [1], '/value invalid_type: value must be a string, a boolean, an object or a number'],
      ['address', 'あ'.repeat(2_001), '/value too_long: value must have 2000 characters or fewer'],
      [
        'address',
        'a\0',
        '/value invalid_characters: value must not hold NUL characters or unpaired surrogates',
      ],
      ['address', true, '/value invalid_value: value must be text'],
      ['count', '十', '/value invalid_value: value must be a decimal, for example "1234.5"'],
      ['agreed', 'はい', '/value invalid_value: value must be true or false'],
      ['plan', '週払い', '/value invalid_value: value must be one of the options: "月払い", "年払い"'],
    ] as const) {
      assert.equal(await told(key, value), fault);
    }
  });

  test('does_not_fit, for what is too long for its box at 5 points', async () => {
    const tight = { page: 1, x: 0.1, y: 0.1, w: 0.05, h: 0.01, signer: 's1', type: 'text', key: 'tight' };
    const { guest } = await asked({ fields: [signatureOf('s1'), tight] });
    const { body } = await guest.put(`/fields/${await idOf(guest, 'tight')}`, { value: 'あ'.repeat(50) });
    assert.deepEqual(faultsIn(body), ['/value does_not_fit']);
  });

  test("404 for another signer's field, without access 403 whatever the body says", async () => {
    const { guests } = await asked(several([1, 1]));
    const [id] = Object.keys(await ownSignature(guests[1]!));
    assert.equal((await guests[0]!.put(`/fields/${id}`, { value: SIGNATURE })).status, 404);
    guests[0]!.cookie = '';
    const refused = await guests[0]!.put(`/fields/${id}`, { no_such_field: 1 });
    assert.deepEqual([refused.status, refused.body.code], [403, 'access_required']);
  });

  test('an image is made anew from its pixels', async () => {
    const { guest } = await asked();
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const data = Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.from('and a secret')]).toString(
      'base64',
    );
    const { body } = await guest.put(`/fields/${await idOf(guest, 'sign_here')}`, {
      value: { kind: 'image', data },
    });
    assert.match(body.field.value.data, /^iVBORw0KGgo/);
    assert.ok(!Buffer.from(body.field.value.data, 'base64').includes('secret'));
  });
});

describe('POST decline', () => {
  test('ends the document with the reason, and tells sender and signers', async () => {
    const all = await asked(several([1, 1]));
    const { guests, sender, document } = all;
    const { organization_id } = sender.actor;
    const facts = await toldBy(app, organization_id, async () => {
      const reply = await guests[0]!.post('/decline', { reason: '条件が違います。' });
      assert.equal(reply.status, 200, reply.text);
      const { status, cancel_reason, signer } = reply.body.signing;
      assert.deepEqual([status, cancel_reason, signer.status], ['cancelled', 'declined', 'declined']);
    });
    assert.deepEqual(facts.events.map(({ type }) => type).sort(), [
      'sign.document.cancelled',
      'sign.signer.declined',
    ]);
    const columns = ['cancel_note', 'cancel_reason', 'cancelled_at', 'signers', 'status'];
    assert.deepEqual(changedBy(facts.audit), [['update', 'document', columns]]);
    assert.deepEqual(await mailsOf(all), [
      ['decline', 'sender'],
      ['decline', guests[1]!.signer_id],
    ]);
    const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
    assert.deepEqual([held.cancel_reason, held.signers[0].decline_reason], ['declined', '条件が違います。']);
    assert.deepEqual(statusesIn(held), ['declined', 'cancelled']);
    const refused = await guests[1]!.sign({});
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_transition']);
    const other = await asked();
    assert.deepEqual(faultsIn((await other.guest.post('/decline', {})).body), ['/reason required']);
  });

  test('leaves who has signed as they are; who had no turn yet hears nothing', async () => {
    const all = await asked(several([1, 1, 2]));
    const [first, second] = all.guests as [TestGuest, TestGuest];
    assert.equal((await first.sign(await ownSignature(first))).status, 200);
    assert.equal((await second.post('/decline', { reason: '条件が違います。' })).status, 200);
    const held = (await all.sender.get(`/sign/documents/${all.document.id}`)).body.document;
    assert.deepEqual(statusesIn(held), ['signed', 'declined', 'cancelled']);
    const told = (await mailsOf(all)).filter(([kind]) => kind === 'decline');
    assert.deepEqual(told, [
      ['decline', 'sender'],
      ['decline', first.signer_id],
    ]);
  });
});

describe('POST forward', () => {
  test('puts somebody else in place: this link is dead, values are cleared, the sender is told', async () => {
    const all = await asked({ allow_forward: true });
    const { guest, sender, document } = all;
    const id = await idOf(guest, 'address');
    await guest.put(`/fields/${id}`, { value: '東京都港区' });
    const facts = await toldBy(app, sender.actor.organization_id, async () => {
      const reply = await guest.post('/forward', { name: '鈴木 次郎', email: 'jiro@example.jp' });
      assert.deepEqual([reply.status, reply.body], [200, { success: true }]);
    });
    assert.deepEqual(facts.events, []);
    assert.deepEqual(changedBy(facts.audit), [['update', 'document', ['signers', 'values']]]);
    assert.deepEqual(await mailsOf(all), [
      ['invitation', guest.signer_id],
      ['forward', 'sender'],
    ]);
    assert.equal((await guest.get()).status, 404);
    const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
    const [signer] = held.signers;
    assert.deepEqual([signer.email, signer.status, signer.viewed_at], ['jiro@example.jp', 'notified', null]);
    assert.equal(held.fields.find((field: { id: string }) => field.id === id).value, null);
    const types = (await events(all)).map(({ type }: { type: string }) => type);
    assert.deepEqual(types.slice(-2), ['forwarded', 'invited']);
  });

  test('keeps how the signer shows who they are, and the access code', async () => {
    const code = { access_code: '7Q4K-92' };
    const signers = [{ name: '田中 一郎', email: 'taro@example.jp', auth: 'access_code', ...code }];
    const sender = await newSender(app);
    const all = await sentToGuests(app, sender, {
      signers,
      fields: [signatureOf('s1')],
      allow_forward: true,
    });
    const [guest] = all.guests as [TestGuest];
    assert.equal((await guest.open(code)).status, 200);
    assert.equal((await guest.post('/forward', { name: '鈴木', email: 'jiro@example.jp' })).status, 200);
    const other = await guestOf(app, sender.actor.organization_id, guest.signer_id);
    assert.notEqual(other.token, guest.token);
    assert.equal((await other.get()).body.signing.auth, 'access_code');
    assert.equal((await other.open({ access_code: '7Q4K-93' })).body.code, 'wrong_code');
    assert.equal((await other.open(code)).status, 200);
  });

  test('422 for a name that turns the line around it', async () => {
    const { guest } = await asked({ allow_forward: true });
    const reply = await guest.post('/forward', { name: '鈴木\u202e 次郎', email: 'jiro@example.jp' });
    assert.deepEqual(faultsIn(reply.body), ['/name invalid_characters']);
  });

  test('409 where the sender does not allow it', async () => {
    const { guest } = await asked();
    const reply = await guest.post('/forward', { name: '鈴木 次郎', email: 'jiro@example.jp' });
    assert.deepEqual([reply.status, reply.body.code], [409, 'forward_not_allowed']);
  });
});

describe('GET pdf', () => {
  test('with access alone; taking it stands in the trail once for an access', async () => {
    const all = await asked();
    const { guest, document } = all;
    const taken = [
      await guest.get('/pdf'),
      await guest.get('/pdf'),
      await guest.get('/pdf', { Range: 'bytes=0-3' }),
    ];
    assert.deepEqual(
      taken.map(({ status }) => status),
      [200, 200, 206],
    );
    assert.equal(taken[0]!.headers.get('content-type'), 'application/pdf');
    assert.equal(taken[2]!.text, '%PDF');
    const downloads = async () =>
      (await events(all)).filter(({ type }: { type: string }) => type === 'downloaded');
    const [entry, ...more] = await downloads();
    assert.deepEqual(more, []);
    assert.deepEqual(entry.data, {
      signer_id: guest.signer_id,
      version: 'original',
      sha256: document.file.sha256,
    });
    await guest.open();
    await guest.get('/pdf');
    assert.equal((await downloads()).length, 2);
    assert.equal((await guest.get('/certificate')).status, 404);
    guest.cookie = '';
    const refused = await guest.get('/pdf');
    assert.deepEqual([refused.status, refused.body.code], [403, 'access_required']);
  });
});
