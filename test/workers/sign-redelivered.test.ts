import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { domains } from '../../shared/domains.ts';
import { sendMailJob } from '../../shared/platform/mailer/jobs.ts';
import { purposesOf } from '../../shared/platform/mailer/purposes.ts';
import { MailOvertaken, type Transport } from '../../shared/platform/mailer/transport.ts';
import { sendMail } from '../../workers/mailer/send-mail.ts';
import { startApp } from '../support/app.ts';
import { release, takeDelivery } from '../support/deliveries.ts';
import { draftingIn } from '../support/drafting.ts';

const app = await startApp();
const drafting = draftingIn(app);

/** A document whose invitation waits, and the deliveries of its job: each is one of the same job, as after a kill. */
async function invited() {
  const draft = await drafting();
  assert.equal((await draft.act('send')).status, 200);
  const [job] = await draft.set<{ id: string; payload: { mail_id: string } }>(
    `SELECT id, payload FROM outbox WHERE organization_id = $1 AND name = '${sendMailJob.name}'`,
  );
  const taken: string[] = [];
  /** `dies`: once the server has the whole text, as a process that is killed. */
  const deliver = async (dies = false) => {
    const transport: Transport = {
      repeatable: false,
      deliver: async ({ to }, commit) => {
        if (!(await commit())) throw new MailOvertaken();
        taken.push(...to);
        if (dies) throw new Error('killed');
        return '250 OK';
      },
    };
    const { storage, settings, outside, now } = app.context;
    const handler = sendMail({
      transport,
      storage,
      purposes: purposesOf(domains),
      mail_from: 'no-reply@example.com',
      base_url: settings.baseUrl,
      secret_keys: outside.secret_keys,
    });
    const delivery = await takeDelivery({ database: app.database, clock: now }, job!.id);
    await handler(job!.payload, delivery).finally(() => release(app.database, delivery));
  };
  const mail = async () =>
    (
      await draft.set<{ status: string; attempts: number }>(
        `SELECT status, attempts FROM mails WHERE organization_id = $1 AND id = '${job!.payload.mail_id}'`,
      )
    )[0];
  const shown = async () => {
    const { document } = (await draft.sender.get(draft.path)).body;
    return { delivery: document.signers[0].delivery, needs_attention: document.needs_attention };
  };
  return { ...draft, deliver, taken, mail, shown };
}

describe('the job of an invitation that is delivered again', () => {
  it('finds it left in the hands of the server: it is unknown, told to the sender, and sent by nobody', async () => {
    const { deliver, taken, mail, shown, mails, events, signer_ids, act } = await invited();
    await assert.rejects(deliver(true), /killed/);
    assert.deepEqual([(await mail())!.status, (await shown()).delivery], ['sending', 'sending']);
    const unknown = { delivery: 'unknown', needs_attention: true };
    for (const time of ['second', 'third']) {
      await deliver();
      assert.deepEqual(await mail(), { status: 'unknown', attempts: 1 }, time);
      assert.deepEqual(await shown(), unknown, time);
    }
    assert.equal(taken.length, 1);
    const [signer_id] = signer_ids;
    assert.deepEqual(await mails(), [
      { kind: 'invitation', signer_id },
      { kind: 'undelivered', signer_id: null },
    ]);
    assert.deepEqual((await events()).at(-1).data, { signer_id, mail: 'invitation', outcome: 'unknown' });
    assert.deepEqual((await act('remind', {})).body.reminded, [signer_id]);
  });

  it('finds it sent: nobody gets a second one', async () => {
    const { deliver, taken, mail, shown, mails } = await invited();
    for (const time of ['first', 'second']) {
      await deliver();
      assert.deepEqual(await mail(), { status: 'sent', attempts: 1 }, time);
      assert.deepEqual(await shown(), { delivery: 'sent', needs_attention: false }, time);
    }
    assert.equal(taken.length, 1);
    assert.equal((await mails()).length, 1);
  });
});
