import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstBadSeq } from '../../../shared/sign/trail/chain.ts';
import { hashOfValues } from '../../../shared/sign/values/hash.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import { newSender, type Sender } from '../../support/signing.ts';
import { HASH_OF_NOTHING, sentToGuests, type TestGuest } from '../../support/signing-guests.ts';

const BEGIN = new Date('2026-12-01T16:00:00.000Z');
let now = BEGIN;
const app = await startApp({ now: () => now });
app.context.settings.embeddedDatabase = true;

const box = { page: 1, x: 0.1, w: 0.3, h: 0.05 };
const TYPED = { kind: 'typed', text: '田中 一郎' };

/** Each kind of field, and one that the sender filled in. */
const FIELDS = [
  { ...box, y: 0.1, signer: 's1', type: 'signature', key: 'sign_here' },
  { ...box, y: 0.2, signer: 's1', type: 'text', key: 'address', validation: { max_length: 40 } },
  { ...box, y: 0.3, signer: 's1', type: 'number', key: 'count', required: false },
  { ...box, y: 0.4, signer: 's1', type: 'checkbox', key: 'agreed', required: true },
  {
    ...box,
    y: 0.5,
    signer: 's1',
    type: 'radio',
    key: 'plan',
    options: ['月払い', '年払い'],
    required: false,
  },
  { ...box, y: 0.6, signer: 's1', type: 'date', key: 'day' },
  { ...box, y: 0.7, signer: 's1', type: 'name', key: 'fixed', value: '固定', read_only: true },
];

const person = (key: string, more: object = {}) => ({
  key,
  name: `署名者 ${key}`,
  email: `${key}@example.jp`,
  auth: 'none',
  ...more,
});

type Asked = { document: Reply['body']; guests: TestGuest[]; guest: TestGuest; sender: Sender };

/** A document whose signers in turn have opened it. */
async function opened(fields: object = {}): Promise<Asked> {
  now = BEGIN;
  const sender = await newSender(app);
  const asked = await sentToGuests(app, sender, { signers: [person('s1')], fields: FIELDS, ...fields });
  for (const guest of asked.guests) await guest.open();
  return { ...asked, guest: asked.guests[0]!, sender };
}

const signatureOf = (signer: string) => ({ ...box, y: 0.8, signer, type: 'signature' });

/** Signers with a signature each, in groups of their own or together. */
const several = (groups: readonly number[]) => ({
  signers: groups.map((order_group, index) => person(`s${index + 1}`, { order_group })),
  fields: groups.map((_, index) => signatureOf(`s${index + 1}`)),
});

async function events({ sender, document }: Pick<Asked, 'sender' | 'document'>) {
  return (await sender.get(`/sign/documents/${document.id}/events?limit=200`)).body.items;
}

const shownFields = async (guest: TestGuest): Promise<{ id: string; key: string; value: unknown }[]> =>
  (await guest.get()).body.signing.fields;

const idOf = async (guest: TestGuest, key: string) =>
  (await shownFields(guest)).find((field) => field.key === key)!.id;

const ownSignature = async (guest: TestGuest) => {
  const { fields, signer } = (await guest.get()).body.signing;
  return { [fields.find((field: { signer: string }) => field.signer === signer.id).id]: TYPED };
};

const statuses = (replies: readonly Reply[]) =>
  Object.fromEntries(
    [...Map.groupBy(replies, ({ status }) => status)].map(([status, all]) => [status, all.length]),
  );

const COMPLETE = { sign_here: TYPED, address: '東京都港区', agreed: true };

describe('PUT fields', () => {
  test('keeps a value until null clears it, and tells nobody', async () => {
    const { guest, sender } = await opened();
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
    const { guest } = await opened();
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

  test('does_not_fit, for what is too long for its box at 5 points', async () => {
    const tight = { page: 1, x: 0.1, y: 0.1, w: 0.05, h: 0.01, signer: 's1', type: 'text', key: 'tight' };
    const { guest } = await opened({ fields: [signatureOf('s1'), tight] });
    const { body } = await guest.put(`/fields/${await idOf(guest, 'tight')}`, { value: 'あ'.repeat(50) });
    assert.deepEqual(faultsIn(body), ['/value does_not_fit']);
  });

  test("404 for another signer's field, without access 403 whatever the body says", async () => {
    const { guests } = await opened(several([1, 1]));
    const [id] = Object.keys(await ownSignature(guests[1]!));
    assert.equal((await guests[0]!.put(`/fields/${id}`, { value: TYPED })).status, 404);
    guests[0]!.cookie = '';
    const refused = await guests[0]!.put(`/fields/${id}`, { no_such_field: 1 });
    assert.deepEqual([refused.status, refused.body.code], [403, 'access_required']);
  });

  test('an image is made anew from its pixels', async () => {
    const { guest } = await opened();
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

describe('POST sign', () => {
  test('keeps the values, sets the day in the zone of the document, and asks for the seal', async () => {
    const asked = await opened();
    const { guest, sender, document } = asked;
    await guest.put(`/fields/${await idOf(guest, 'address')}`, { value: '大阪府' });
    let reply!: Reply;
    const facts = await toldBy(app, sender.actor.organization_id, async () => {
      reply = await guest.sign({ sign_here: TYPED, agreed: true, count: '3' });
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.signing.signer.status, 'signed');
    const fields: { id: string; key: string; value: unknown }[] = reply.body.signing.fields;
    const values = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
    assert.deepEqual(values, {
      sign_here: TYPED,
      address: '大阪府',
      count: '3',
      agreed: true,
      plan: null,
      day: '2026-12-02',
      fixed: '固定',
    });
    assert.deepEqual(
      facts.events.map(({ type }) => type),
      ['sign.signer.signed'],
    );
    const [entry] = facts.audit;
    assert.deepEqual([entry!.entity_type, entry!.action], ['document', 'update']);
    assert.deepEqual(entry!.changes['values'], ['***', '***']);
    const told = await events(asked);
    const signed = told.find(({ type }: { type: string }) => type === 'signed');
    assert.deepEqual(signed.data, {
      signer_id: guest.signer_id,
      document_sha256: document.file.sha256,
      values_sha256: HASH_OF_NOTHING,
      own_values_sha256: hashOfValues(fields),
      consent_version: '2026-11-01',
    });
    assert.equal(firstBadSeq(told), null);
    assert.equal(told.at(-1).type, 'completed');
    const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
    assert.deepEqual([held.status, held.sealing.status], ['sent', 'pending']);
  });

  test('422 for what is missing, unknown or not offered; 409 for another document, another consent', async () => {
    const { guest } = await opened();
    assert.deepEqual(faultsIn((await guest.sign({ address: '  ', agreed: false })).body), [
      '/values/address required',
      '/values/agreed required',
      `/values/${await idOf(guest, 'sign_here')} required`,
    ]);
    assert.deepEqual(faultsIn((await guest.sign({ ...COMPLETE, nobody: 'x', plan: '週払い' })).body), [
      '/values/nobody unknown_field',
      '/values/plan invalid_value',
    ]);
    const twice = { ...COMPLETE, [await idOf(guest, 'address')]: 'x' };
    assert.equal(faultsIn((await guest.sign(twice)).body)[0]!.split(' ')[1], 'duplicate');
    assert.deepEqual(faultsIn((await guest.sign(COMPLETE, { consent_version: undefined })).body), [
      '/consent_version required',
    ]);
    const codes: unknown[] = [];
    for (const more of [
      { document_sha256: '0'.repeat(64) },
      { values_sha256: '0'.repeat(64) },
      { consent_version: '2020-01-01' },
    ]) {
      codes.push((await guest.sign(COMPLETE, more)).body.code);
    }
    assert.deepEqual(codes, ['document_changed', 'document_changed', 'consent_changed']);
    assert.equal((await guest.sign(COMPLETE)).status, 200);
    assert.equal((await guest.sign(COMPLETE)).body.code, 'invalid_transition');
  });

  test("another signer's field in the values is 422, whatever its value", async () => {
    const { guests } = await opened(several([1, 1]));
    const values = { ...(await ownSignature(guests[0]!)), ...(await ownSignature(guests[1]!)) };
    const { status, body } = await guests[0]!.sign(values);
    assert.equal(status, 422);
    assert.equal(faultsIn(body).length, 1);
  });

  test('the next group is asked when all of the one before have signed, and sees their values', async () => {
    const asked = await opened(several([1, 1, 2]));
    const [first, second, third] = asked.guests as [TestGuest, TestGuest, TestGuest];
    assert.equal((await third.open()).body.code, 'not_your_turn');
    const before = (await second.get()).body.signing;
    assert.equal((await first.sign(await ownSignature(first))).status, 200);
    assert.equal((await third.open()).body.code, 'not_your_turn');
    const after = (await second.get()).body.signing;
    assert.deepEqual([before.fields.length, after.fields.length], [1, 2]);
    const signed = after.fields.filter((field: { signer: string }) => field.signer === first.signer_id);
    assert.equal(after.values_sha256, hashOfValues(signed));
    // What was shown before the first one signed is the document too.
    const { values_sha256 } = before;
    assert.equal((await second.sign(await ownSignature(second), { values_sha256 })).status, 200);
    assert.equal((await third.open()).status, 200);
    assert.equal((await third.sign(await ownSignature(third))).status, 200);
    const types = (await events(asked)).map(({ type }: { type: string }) => type);
    assert.equal(types.filter((type: string) => type === 'completed').length, 1);
  });

  test('50 signs of one signer at once: one is answered 200', async () => {
    const asked = await opened();
    const replies = await Promise.all(Array.from({ length: 50 }, () => asked.guest.sign(COMPLETE)));
    assert.deepEqual(statuses(replies), { 200: 1, 409: 49 });
    const types = (await events(asked)).map(({ type }: { type: string }) => type);
    assert.equal(types.filter((type: string) => type === 'signed').length, 1);
  });

  test('two signers at once: both sign, and one seal is asked for', async () => {
    const asked = await opened(several([1, 1]));
    const values = await Promise.all(asked.guests.map(ownSignature));
    const replies = await Promise.all(asked.guests.map((guest, index) => guest.sign(values[index])));
    assert.deepEqual(statuses(replies), { 200: 2 });
    const jobs = await app.database.withConnection(asked.sender.actor.organization_id, ({ query }) =>
      query("SELECT 1 FROM outbox WHERE organization_id = $1 AND name = 'sign.seal'", [
        asked.sender.actor.organization_id,
      ]),
    );
    assert.equal(jobs.length, 1);
    assert.equal(firstBadSeq(await events(asked)), null);
  });

  test('sign against cancel: the first commit wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { guest, sender, document } = await opened();
      const [signed, cancelled] = await Promise.all([
        guest.sign(COMPLETE),
        sender.post(`/sign/documents/${document.id}/cancel`),
      ]);
      assert.deepEqual([signed.status, cancelled.status].sort(), [200, 409]);
      const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
      assert.equal(held.status, signed.status === 200 ? 'sent' : 'cancelled');
    }
  });

  test('sent again with its key it is answered the same, to who has access', async () => {
    const { guest, sender } = await opened();
    const headers = { 'Idempotency-Key': 'once' };
    const { file, values_sha256, consent } = (await guest.get()).body.signing;
    const body = {
      document_sha256: file.sha256,
      values_sha256,
      consent_version: consent.version,
      values: COMPLETE,
    };
    const first = await guest.post('/sign', body, headers);
    assert.equal(first.status, 200, first.text);
    const facts = await toldBy(app, sender.actor.organization_id, async () => {
      const again = await guest.post('/sign', body, headers);
      assert.equal(again.headers.get('idempotency-replayed'), 'true', again.text);
      assert.deepEqual(again.body, first.body);
    });
    assert.deepEqual(facts, { events: [], audit: [] });
    guest.cookie = '';
    assert.equal((await guest.post('/sign', body, headers)).body.code, 'access_required');
  });

  test('a body of more than 16 KiB is taken: three images, ten thousand points', async () => {
    const { guest } = await opened();
    const point = [0.123456, 0.654321];
    const drawn = (points: number) => ({
      kind: 'drawn',
      strokes: [Array.from({ length: points }, () => point)],
    });
    const many = await guest.sign({ ...COMPLETE, sign_here: drawn(10_001) });
    assert.equal(many.status, 422);
    assert.equal((await guest.sign({ ...COMPLETE, sign_here: drawn(10_000) })).status, 200);
  });
});

describe('POST decline', () => {
  test('ends the document with the reason, and tells sender and signers', async () => {
    const asked = await opened(several([1, 1]));
    const { guests, sender, document } = asked;
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
    const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
    assert.deepEqual(
      [held.cancel_reason, held.signers[0].decline_reason, held.signers[1].status],
      ['declined', '条件が違います。', 'cancelled'],
    );
    const refused = await guests[1]!.sign({});
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_transition']);
    const other = await opened();
    assert.deepEqual(faultsIn((await other.guest.post('/decline', {})).body), ['/reason required']);
  });
});

describe('POST forward', () => {
  test('puts somebody else in place: this link is dead, values are cleared, the sender is told', async () => {
    const asked = await opened({ allow_forward: true });
    const { guest, sender, document } = asked;
    const id = await idOf(guest, 'address');
    await guest.put(`/fields/${id}`, { value: '東京都港区' });
    const reply = await guest.post('/forward', { name: '鈴木 次郎', email: 'jiro@example.jp' });
    assert.deepEqual([reply.status, reply.body], [200, { success: true }]);
    assert.equal((await guest.get()).status, 404);
    const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
    const [signer] = held.signers;
    assert.deepEqual([signer.email, signer.status, signer.viewed_at], ['jiro@example.jp', 'notified', null]);
    assert.equal(held.fields.find((field: { id: string }) => field.id === id).value, null);
    const types = (await events(asked)).map(({ type }: { type: string }) => type);
    assert.deepEqual(types.slice(-2), ['forwarded', 'invited']);
  });

  test('409 where the sender does not allow it', async () => {
    const { guest } = await opened();
    const reply = await guest.post('/forward', { name: '鈴木 次郎', email: 'jiro@example.jp' });
    assert.deepEqual([reply.status, reply.body.code], [409, 'forward_not_allowed']);
  });
});
