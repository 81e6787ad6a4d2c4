import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startApp } from '../../support/app.ts';
import { draftingIn, statusesOf } from '../../support/drafting.ts';

const app = await startApp();
const drafting = draftingIn(app);

describe('POST replace', () => {
  it('asks somebody else with another link and begins their part anew', async () => {
    const { act, set, signer_ids, mails, types } = await drafting({
      signers: [{ auth: 'access_code', access_code_hash: 'x' }],
    });
    await act('send');
    await set(
      "UPDATE sign_signers SET status = 'viewed', failed_tries = 15, is_locked = true WHERE organization_id = $1",
    );
    await set(`UPDATE sign_fields SET value = '"x"' WHERE organization_id = $1`);
    const body = { name: '鈴木 一郎', email: 'ichiro@example.jp', access_code: '7Q4K-92' };
    const answer = await act(`signers/${signer_ids[0]}/replace`, body);
    assert.equal(answer.status, 200, answer.text);
    const [signer] = answer.body.document.signers;
    assert.deepEqual(
      [signer.name, signer.email, signer.status, signer.locked, signer.viewed_at],
      ['鈴木 一郎', 'ichiro@example.jp', 'notified', false, null],
    );
    assert.equal(answer.body.document.fields[0].value, null);
    assert.deepEqual(
      (await mails()).map(({ kind }) => kind),
      ['invitation', 'invitation'],
    );
    assert.deepEqual(await types(), ['sent', 'invited', 'replaced', 'invited']);
    const generations = await set('SELECT record_id FROM link_generations WHERE organization_id = $1');
    assert.deepEqual(generations, [{ record_id: signer_ids[0] }]);
    const log = await set(
      "SELECT changes FROM audit_logs WHERE organization_id = $1 AND entity_type = 'document' ORDER BY id DESC LIMIT 1",
    );
    assert.ok(!JSON.stringify(log).includes('7Q4K'));
    await set("UPDATE sign_signers SET status = 'signed' WHERE organization_id = $1");
    assert.equal((await act(`signers/${signer_ids[0]}/replace`, body)).body.code, 'invalid_transition');
  });

  it('is refused for who has signed while others have not: 409', async () => {
    const { act, set, signer_ids } = await drafting({ signers: [{}, {}] });
    await act('send');
    await set("UPDATE sign_signers SET status = 'signed' WHERE organization_id = $1 AND id = $2", [
      signer_ids[0],
    ]);
    const person = { name: '鈴木 一郎', email: 'ichiro@example.jp' };
    const { status, body } = await act(`signers/${signer_ids[0]}/replace`, person);
    assert.deepEqual([status, body.code, body.current_status], [409, 'invalid_transition', 'signed']);
    assert.equal((await act(`signers/${signer_ids[1]}/replace`, person)).status, 200);
  });

  it('asks nobody before their turn', async () => {
    const coded = { order_group: 2, auth: 'access_code', access_code_hash: 'x' } as const;
    const { act, signer_ids, mails, types } = await drafting({ signers: [{}, coded] });
    await act('send');
    const person = { name: '鈴木 一郎', email: 'ichiro@example.jp' };
    const { body } = await act(`signers/${signer_ids[1]}/replace`, person);
    const [, later] = body.document.signers;
    assert.deepEqual([later.name, later.status, later.delivery], ['鈴木 一郎', 'waiting', 'none']);
    assert.equal(later.has_access_code, true, 'the code that was set stays');
    assert.deepEqual(await mails(), [{ kind: 'invitation', signer_id: signer_ids[0] }]);
    assert.deepEqual(await types(), ['sent', 'invited', 'replaced']);
  });
});

describe('the trail', () => {
  it('has no event before the one that it follows, whatever the clock of who adds it', async () => {
    const { act, set, signer_ids, events } = await drafting();
    await act('send');
    const later = '2999-01-01T00:00:00.000Z';
    await set(`UPDATE sign_documents SET trail_at = '${later}' WHERE organization_id = $1`);
    await set("UPDATE sign_documents SET expires_at = '2999-12-31T00:00:00Z' WHERE organization_id = $1");
    await set('UPDATE sign_signers SET failed_tries = 15, is_locked = true WHERE organization_id = $1');
    const answer = await act(`signers/${signer_ids[0]}/unlock`);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      (await events()).map(({ type, at }: { type: string; at: string }) => [type, at >= later]),
      [
        ['sent', false],
        ['invited', false],
        ['unlocked', true],
      ],
    );
  });
});

describe('a document whose time is over, before the sweep', () => {
  it('has no signer replaced or unlocked: 409 expired', async () => {
    const { act, set, signer_ids } = await drafting();
    await act('send');
    await set("UPDATE sign_documents SET expires_at = '2026-01-01T00:00:00Z' WHERE organization_id = $1");
    const person = { name: '鈴木 一郎', email: 'ichiro@example.jp' };
    for (const [action, body] of [
      ['replace', person],
      ['unlock', undefined],
    ] as const) {
      const { status, body: problem } = await act(`signers/${signer_ids[0]}/${action}`, body);
      assert.deepEqual([status, problem.code], [409, 'expired'], action);
    }
  });
});

describe('POST unlock', () => {
  it('lets a locked signer in turn try again, and changes nothing where nothing is locked', async () => {
    const { act, set, signer_ids, types } = await drafting({ signers: [{}, { order_group: 2 }] });
    await act('send');
    await set(
      'UPDATE sign_signers SET failed_tries = 15, is_locked = true WHERE organization_id = $1 AND id = $2',
      [signer_ids[0]],
    );
    const answer = await act(`signers/${signer_ids[0]}/unlock`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.document.signers[0].locked, false);
    assert.equal((await act(`signers/${signer_ids[0]}/unlock`)).status, 200);
    assert.deepEqual(await types(), ['sent', 'invited', 'unlocked']);
    assert.equal((await act(`signers/${signer_ids[1]}/unlock`)).body.code, 'invalid_transition');
    const other = await drafting();
    assert.equal((await act(`signers/${other.signer_ids[0]}/unlock`)).status, 404);
  });
});

describe('POST seal', () => {
  it('has a sealing that failed tried again, once of many at the same time', async () => {
    const { act, set } = await drafting();
    await act('send');
    assert.equal((await act('seal')).body.code, 'invalid_transition');
    await set("UPDATE sign_signers SET status = 'signed' WHERE organization_id = $1");
    await set(
      "UPDATE sign_documents SET sealing_status = 'failed', sealing_error = 'x' WHERE organization_id = $1",
    );
    const answers = await Promise.all(Array.from({ length: 5 }, () => act('seal')));
    assert.deepEqual(statusesOf(answers), { 202: 1, 409: 4 });
    const { document, job } = answers.find(({ status }) => status === 202)!.body;
    assert.deepEqual(document.sealing, { status: 'pending', attempts: 0, error: null });
    assert.equal(job.kind, 'sign.documents.seal');
  });
});

describe('a document that the caller does not see', () => {
  it('is not there for any of its calls: 404', async () => {
    const { organization_id, id, signer_ids } = await drafting();
    const other = await app.actor({ organization_id, role: 'member' });
    const path = `/sign/documents/${id}`;
    const calls = [
      ...['send', 'cancel', 'remind', 'seal'].map((action) => `${path}/${action}`),
      `${path}/signers/${signer_ids[0]}/unlock`,
    ];
    for (const call of calls)
      assert.equal((await other.post(call, call.endsWith('d') ? {} : undefined)).status, 404, call);
    const body = { name: 'x', email: 'x@example.jp' };
    assert.equal((await other.post(`${path}/signers/${signer_ids[0]}/replace`, body)).status, 404);
    assert.equal((await other.get(`${path}/events`)).status, 404);
  });
});
