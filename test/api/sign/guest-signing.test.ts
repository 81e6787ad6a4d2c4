import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstBadSeq } from '../../../shared/sign/trail/chain.ts';
import { hashOfValues } from '../../../shared/sign/values/hash.ts';
import { startApp } from '../../support/app.ts';
import type { Reply } from '../../support/client.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';
import {
  COMPLETE,
  events,
  idOf,
  opened,
  ownSignature,
  several,
  statuses,
} from '../../support/opened-signing.ts';
import { HASH_OF_NOTHING, SIGNATURE, type TestGuest } from '../../support/signing-guests.ts';

const BEGIN = new Date('2026-12-01T16:00:00.000Z');
const app = await startApp({ now: () => BEGIN });
app.context.settings.embeddedDatabase = true;
const asked = (fields?: object) => opened(app, fields);

describe('POST sign', () => {
  test('keeps the values, sets the day in the zone of the document, and asks for the seal', async () => {
    const all = await asked();
    const { guest, sender, document } = all;
    await guest.put(`/fields/${await idOf(guest, 'address')}`, { value: '大阪府' });
    let reply!: Reply;
    const facts = await toldBy(app, sender.actor.organization_id, async () => {
      reply = await guest.sign({ sign_here: SIGNATURE, agreed: true, count: '3' });
    });
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.signing.signer.status, 'signed');
    const fields: { id: string; key: string; value: unknown }[] = reply.body.signing.fields;
    const values = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
    assert.deepEqual(values, {
      sign_here: SIGNATURE,
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
    const told = await events(all);
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
    const { guest } = await asked();
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
    const { guests } = await asked(several([1, 1]));
    const values = { ...(await ownSignature(guests[0]!)), ...(await ownSignature(guests[1]!)) };
    const { status, body } = await guests[0]!.sign(values);
    assert.equal(status, 422);
    assert.equal(faultsIn(body).length, 1);
  });

  test('the next group is asked when all of the one before have signed, and sees their values', async () => {
    const all = await asked(several([1, 1, 2]));
    const [first, second, third] = all.guests as [TestGuest, TestGuest, TestGuest];
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
    const types = (await events(all)).map(({ type }: { type: string }) => type);
    assert.equal(types.filter((type: string) => type === 'completed').length, 1);
  });

  test('50 signs of one signer at once: one is answered 200', async () => {
    const all = await asked();
    const replies = await Promise.all(Array.from({ length: 50 }, () => all.guest.sign(COMPLETE)));
    assert.deepEqual(statuses(replies), { 200: 1, 409: 49 });
    const types = (await events(all)).map(({ type }: { type: string }) => type);
    assert.equal(types.filter((type: string) => type === 'signed').length, 1);
  });

  test('two signers at once: both sign, and one seal is asked for', async () => {
    const all = await asked(several([1, 1]));
    const values = await Promise.all(all.guests.map(ownSignature));
    const replies = await Promise.all(all.guests.map((guest, index) => guest.sign(values[index])));
    assert.deepEqual(statuses(replies), { 200: 2 });
    const jobs = await app.database.withConnection(all.sender.actor.organization_id, ({ query }) =>
      query("SELECT 1 FROM outbox WHERE organization_id = $1 AND name = 'sign.seal'", [
        all.sender.actor.organization_id,
      ]),
    );
    assert.equal(jobs.length, 1);
    assert.equal(firstBadSeq(await events(all)), null);
  });

  test('sign against cancel: the first commit wins', async () => {
    for (let round = 0; round < 5; round++) {
      const { guest, sender, document } = await asked();
      const [signed, cancelled] = await Promise.all([
        guest.sign(COMPLETE),
        sender.post(`/sign/documents/${document.id}/cancel`),
      ]);
      assert.deepEqual([signed.status, cancelled.status].sort(), [200, 409]);
      const held = (await sender.get(`/sign/documents/${document.id}`)).body.document;
      assert.equal(held.status, signed.status === 200 ? 'sent' : 'cancelled');
    }
  });

  test('sent many times at once with its key it is signed once, and never told that it was signed already', async () => {
    for (let round = 0; round < 5; round++) {
      const { guest } = await asked();
      const body = { ...(await guest.toSign()), values: COMPLETE };
      const sent = Array.from({ length: 12 }, () =>
        guest.post('/sign', body, { 'Idempotency-Key': 'at_once' }),
      );
      const answers = (await Promise.all(sent)).map(({ status, body: { code } }) => code ?? status);
      for (const answer of answers) assert.ok(answer === 200 || answer === 'idempotency_key_in_use', answer);
      assert.ok(answers.includes(200));
    }
  });

  test('sent again with its key it is answered the same, to who has access', async () => {
    const { guest, sender } = await asked();
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
    const { guest } = await asked();
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
