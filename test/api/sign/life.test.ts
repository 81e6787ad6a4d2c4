import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { firstBadSeq } from '../../../shared/sign/trail/chain.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { draftingIn, statusesOf } from '../../support/drafting.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const HOUR = 60 * 60_000;
let now = new Date('2026-12-01T01:23:45.000Z');
const app = await startApp({ now: () => now });
const drafting = draftingIn(app, () => {
  now = new Date('2026-12-01T01:23:45.000Z');
});

describe('POST send', () => {
  it('freezes the document, asks the first group and begins the trail', async () => {
    const signers = [{ order_group: 2 }, { order_group: 1 }, { order_group: 1, role: 'cc' as const }];
    const { sender, organization_id, act, events, mails, signer_ids, path } = await drafting({ signers });
    let answer!: Awaited<ReturnType<typeof act>>;
    const told = await toldBy(app, organization_id, async () => {
      answer = await act('send');
    });
    assert.equal(answer.status, 200, answer.text);
    const { document } = answer.body;
    assert.equal(document.status, 'sent');
    assert.equal(document.expires_at, '2027-03-01T15:00:00.000Z');
    assert.deepEqual(
      document.signers.map((signer: Record<string, unknown>) => [
        signer['status'],
        signer['delivery'],
        signer['next_reminder_at'],
      ]),
      [
        ['waiting', 'none', null],
        ['notified', 'queued', '2026-12-04T00:00:00.000Z'],
        ['waiting', 'none', null],
      ],
    );
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['sign.document.sent'],
    );
    assert.deepEqual(
      told.audit.map(({ action }) => action),
      ['update'],
    );
    const trail = await events();
    assert.deepEqual(
      trail.map(({ type, actor, data }: Record<string, { type: string } & Record<string, unknown>>) => [
        type,
        actor!.type,
        data!['signer_id'] ?? data!['signers'],
      ]),
      [
        ['sent', 'api_key', 2],
        ['invited', 'system', signer_ids[1]],
      ],
    );
    assert.equal(firstBadSeq(trail), null);
    assert.deepEqual(document.trail, { length: 2, head: trail[1].hash });
    assert.deepEqual(await mails(), [{ kind: 'invitation', signer_id: signer_ids[1] }]);
    const [sent] = (await sender.get(`${path}/events?type=sent&sort=seq:asc`)).body.items;
    assert.equal(sent.data.file_sha256, document.file.sha256);
  });

  it('is refused with all that is missing at once: 422 not_sendable', async () => {
    const signers = [
      { name: null },
      { email: null, email_key: null },
      { auth: 'access_code' as const },
      { role: 'approver' as const },
    ];
    const document = { expires_at: '2026-12-01T01:23:45.000Z' };
    const { act, set, signer_ids, types } = await drafting({ signers, document, has_file: false });
    await set('UPDATE sign_fields SET read_only = true WHERE organization_id = $1 AND signer_id = $2', [
      signer_ids[0],
    ]);
    await set("UPDATE sign_fields SET type = 'text' WHERE organization_id = $1 AND signer_id = $2", [
      signer_ids[1],
    ]);
    const refused = await act('send');
    assert.deepEqual([refused.status, refused.body.code], [422, 'not_sendable']);
    assert.deepEqual(faultsIn(refused.body).sort(), [
      '/expires_at in_the_past',
      '/fields/0/value required',
      '/file required',
      '/signers/0/name required',
      '/signers/1 signature_missing',
      '/signers/1/email required',
      '/signers/2/access_code required',
    ]);
    assert.deepEqual(await types(), []);
  });

  it('is refused for a page that is not there, and where nobody signs', async () => {
    const { act } = await drafting({ signers: [{ role: 'approver' }] });
    assert.deepEqual(faultsIn((await act('send')).body), ['/signers required']);
    const paged = await drafting();
    await paged.set('UPDATE sign_fields SET page = 2 WHERE organization_id = $1');
    assert.deepEqual(faultsIn((await paged.act('send')).body), ['/fields/0/page no_such_page']);
  });

  it('needs an approver where the settings say so: 403', async () => {
    const { act, organization_id, sender, id } = await drafting({}, { scopes: ['sign:read', 'sign:write'] });
    const admin = await app.actor({ organization_id });
    const canSend = async (asking: Pick<Client, 'get'>) => {
      const { document } = (await asking.get(`/sign/documents/${id}`)).body;
      const { items } = (await asking.get('/sign/documents')).body;
      assert.deepEqual(items[0].available_actions, document.available_actions);
      return document.available_actions.includes('send');
    };
    assert.equal(await canSend(sender), true);
    assert.equal((await admin.patch('/sign/settings', { approval_required: true })).status, 200);
    assert.deepEqual([await canSend(sender), await canSend(admin)], [false, true]);
    const refused = await act('send');
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.required_scope],
      [403, 'insufficient_scope', 'approvals:write'],
    );
  });

  it('is refused while the certificate of the seal is not valid: 409', async () => {
    const { act } = await drafting();
    now = new Date('2066-12-01T00:00:00.000Z');
    const refused = await act('send');
    assert.deepEqual([refused.status, refused.body.code], [409, 'seal_key_expired']);
  });

  it('succeeds once of 50 at the same time', async () => {
    const { act, types, mails } = await drafting();
    const answers = await Promise.all(Array.from({ length: 50 }, () => act('send')));
    assert.deepEqual(statusesOf(answers), { 200: 1, 409: 49 });
    assert.equal(answers.find(({ status }) => status === 409)!.body.code, 'invalid_transition');
    assert.deepEqual(await types(), ['sent', 'invited']);
    assert.equal((await mails()).length, 1);
  });
});

describe('POST cancel', () => {
  it('ends what was sent and tells those who had a mail; of 50 one succeeds', async () => {
    const { act, organization_id, signer_ids, mails, types } = await drafting({
      signers: [{}, { order_group: 2 }],
    });
    await act('send');
    let answers: Awaited<ReturnType<typeof act>>[] = [];
    const told = await toldBy(app, organization_id, async () => {
      answers = await Promise.all(
        Array.from({ length: 50 }, () => act('cancel', { reason: '条件が変わりました' })),
      );
    });
    assert.deepEqual(statusesOf(answers), { 200: 1, 409: 49 });
    const { document } = answers.find(({ status }) => status === 200)!.body;
    assert.deepEqual(
      [document.status, document.cancel_reason, document.cancel_note],
      ['cancelled', 'by_sender', '条件が変わりました'],
    );
    assert.deepEqual(
      document.signers.map(({ status }: { status: string }) => status),
      ['cancelled', 'cancelled'],
    );
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['sign.document.cancelled'],
    );
    assert.deepEqual(await mails(), [
      { kind: 'invitation', signer_id: signer_ids[0] },
      { kind: 'cancel', signer_id: signer_ids[0] },
    ]);
    assert.deepEqual(await types(), ['sent', 'invited', 'cancelled']);
  });

  it('ends a draft without a mail, and is refused once all have signed', async () => {
    const draft = await drafting();
    assert.equal((await draft.act('cancel', {})).body.document.status, 'cancelled');
    assert.deepEqual(await draft.mails(), []);
    const signed = await drafting();
    await signed.act('send');
    await signed.set("UPDATE sign_signers SET status = 'signed' WHERE organization_id = $1");
    assert.equal((await signed.act('cancel', {})).body.code, 'invalid_transition');
  });
});

describe('DELETE', () => {
  it('leaves nothing of what mails of the document said', async () => {
    const { sender, act, set, path } = await drafting();
    await act('send');
    await act('remind', { message: 'お願いします' });
    await act('cancel', { reason: '条件が変わりました' });
    const told = async () =>
      (await set<{ told: object }>('SELECT told FROM sign_mails WHERE organization_id = $1')).map((row) =>
        Object.values(row.told).join(),
      );
    assert.ok((await told()).includes('条件が変わりました'));
    assert.equal((await sender.delete(path)).status, 200);
    assert.deepEqual(new Set(await told()), new Set(['']));
  });
});

describe('POST remind', () => {
  it('mails those in turn once an hour, and says who is skipped', async () => {
    const { act, signer_ids, set } = await drafting({ signers: [{}, {}, { order_group: 2 }] });
    await act('send');
    now = new Date(now.getTime() + 24 * HOUR);
    const [first, second, third] = signer_ids as [string, string, string];
    const answer = await act('remind', { signer_ids: [first, third], message: 'お願いします' });
    assert.equal(answer.status, 202, answer.text);
    const { document, reminded, skipped, job } = answer.body;
    assert.deepEqual([reminded, skipped], [[first], [{ signer_id: third, code: 'not_in_turn' }]]);
    assert.equal(job.kind, 'sign.documents.remind');
    assert.equal(document.signers[0].next_reminder_at, '2026-12-07T00:00:00.000Z');
    assert.equal(document.signers[0].reminders_sent, 0);
    assert.deepEqual((await act('remind', {})).body.skipped, [{ signer_id: first, code: 'too_soon' }]);
    const refused = await act('remind', {});
    assert.deepEqual([refused.status, refused.body.code], [429, 'too_soon']);
    assert.deepEqual(
      refused.body.skipped.map(({ signer_id }: { signer_id: string }) => signer_id),
      [first, second],
    );
    await set("UPDATE sign_signers SET delivery = 'unknown' WHERE organization_id = $1 AND id = $2", [first]);
    assert.deepEqual((await act('remind', {})).body.reminded, [first]);
  });

  it('waits for an hour from the last one of each signer, but not where that failed', async () => {
    const { act, set, signer_ids } = await drafting({ signers: [{}, {}] });
    await act('send');
    const [first, second] = signer_ids;
    const remind = async (...ids: unknown[]) => {
      const { status, body } = await act('remind', { signer_ids: ids });
      return status === 429 ? body.code : body.reminded;
    };
    assert.deepEqual(await remind(first), [first]);
    now = new Date(now.getTime() + HOUR - 1);
    assert.equal(await remind(first), 'too_soon');
    assert.deepEqual(await remind(first, second), [second]);
    now = new Date(now.getTime() + 1);
    assert.deepEqual(await remind(first, second), [first]);
    await set("UPDATE sign_signers SET delivery = 'failed' WHERE organization_id = $1 AND id = $2", [second]);
    assert.deepEqual(await remind(first, second), [second]);
  });

  it('succeeds once of 50 at the same time, and knows no signer of another document', async () => {
    const { act, set } = await drafting();
    await act('send');
    const answers = await Promise.all(Array.from({ length: 50 }, () => act('remind', {})));
    assert.deepEqual(statusesOf(answers), { 202: 1, 429: 49 });
    assert.equal((await set('SELECT FROM sign_reminders WHERE organization_id = $1')).length, 1);
    now = new Date('2027-03-01T15:00:00.000Z');
    assert.equal((await act('remind', {})).body.code, 'expired');
    const other = await drafting();
    const refused = await act('remind', { signer_ids: [other.signer_ids[0]] });
    assert.deepEqual(faultsIn(refused.body), ['/signer_ids/0 unknown_reference']);
    assert.equal((await other.act('remind', {})).body.code, 'invalid_transition');
  });
});
