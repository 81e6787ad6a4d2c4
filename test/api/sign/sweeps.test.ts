import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inWork } from '../../../shared/db/in-work.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { doWhatIsDue } from '../../../shared/sign/life/due.ts';
import { signSweeps } from '../../../shared/sign/life/sweeps.ts';
import { dueReminders } from '../../../shared/sign/reminders/due.ts';
import { mailReminders } from '../../../shared/sign/reminders/mail.ts';
import { startApp } from '../../support/app.ts';
import { toldBy } from '../../support/facts.ts';
import { type Drafted, storedDraft } from '../../support/stored-signing.ts';
import { until } from '../../support/until.ts';

let now = new Date();
const app = await startApp({ now: () => now });
app.context.settings.embeddedDatabase = true;

/** Every sweep of sign at a time, as one process runs them. */
async function sweepAt(time: string): Promise<void> {
  now = new Date(time);
  for (const { run } of signSweeps) await run(app.database, now, new AbortController().signal);
}

/** A document that was sent on 2026-12-01, and what became of it. */
async function sent(draft: Partial<Drafted> = {}) {
  now = new Date('2026-12-01T01:23:45.000Z');
  const sender = await app.actor();
  const { organization_id, user_id } = sender.actor;
  const { id, signer_ids } = await storedDraft(app, { organization_id, user_id, now, ...draft });
  const { status } = await sender.post(`/sign/documents/${id}/send`);
  assert.equal(status, 200);
  const set = <Row extends object>(text: string, values: unknown[] = []) =>
    app.database.withConnection(organization_id, (connection) =>
      connection.query<Row>(text, [organization_id, ...values]),
    );
  /** When each reminder was due, and when it was asked for, by Tokyo's clock. */
  const reminders = async () =>
    (
      await set<{ due: string; asked: string }>(
        `SELECT to_char(due_at AT TIME ZONE 'Asia/Tokyo', 'MM-DD HH24:MI') AS due,
                to_char(created_at AT TIME ZONE 'Asia/Tokyo', 'MM-DD HH24:MI') AS asked
           FROM sign_reminders WHERE organization_id = $1 AND kind = 'reminder' ORDER BY number`,
      )
    ).map(({ due, asked }) => (due === asked ? due : `${due} at ${asked}`));
  const jobs = () =>
    set<{ name: string; payload: Record<string, unknown> }>(
      "SELECT name, payload FROM outbox WHERE organization_id = $1 AND name LIKE 'sign.%' ORDER BY id",
    );
  const kinds = async () =>
    (
      await set<{ kind: string; to_sender: boolean }>(
        'SELECT kind, signer_id IS NULL AS to_sender FROM sign_mails WHERE organization_id = $1 ORDER BY position',
      )
    ).map(({ kind, to_sender }) => (to_sender ? `${kind} to sender` : kind));
  const document = async () =>
    (await set<Record<string, unknown>>('SELECT * FROM sign_documents WHERE organization_id = $1'))[0]!;
  const types = async () =>
    (await set<{ type: string }>('SELECT type FROM sign_trail WHERE organization_id = $1 ORDER BY seq')).map(
      ({ type }) => type,
    );
  return { sender, organization_id, id, signer_ids, set, reminders, jobs, kinds, document, types };
}

describe('reminders', () => {
  it('are claimed once each at their times, however many processes look', async () => {
    const { reminders, jobs, id, signer_ids } = await sent();
    await sweepAt('2026-12-03T23:59:59.000Z');
    assert.deepEqual(await reminders(), []);
    for (const day of ['04', '07', '10', '14', '17', '20', '21']) {
      const time = `2026-12-${day}T00:00:00.000Z`;
      await Promise.all([sweepAt(time), sweepAt(time), sweepAt(time)]);
    }
    const all = ['12-04 09:00', '12-07 09:00', '12-10 09:00', '12-14 09:00', '12-17 09:00'];
    assert.deepEqual(await reminders(), all);
    const numbers = [1, 2, 3, 4, 5];
    assert.deepEqual(
      (await jobs()).map(({ payload }) => payload),
      // Nothing else: a link or its token stands in no job.
      numbers.map((number) => {
        const signers = [{ id: signer_ids[0], number }];
        return { document_id: id, kind: 'reminder', signers, job_id: null };
      }),
    );
  });

  it('are not claimed again by a process that looked before another one had claimed them', async () => {
    const { reminders, jobs } = await sent();
    await sweepAt('2026-12-04T00:00:00.000Z');
    const find = 'SELECT organization_id, id AS document_id, $1::timestamptz AS due_at FROM sign_documents';
    await doWhatIsDue({ ...dueReminders, find }, app.database, now, new AbortController().signal);
    assert.deepEqual(await reminders(), ['12-04 09:00']);
    assert.equal((await jobs()).length, 1);
  });

  it('of a document that somebody works on are left for the next look, which waits for nobody', async () => {
    const { reminders, organization_id } = await sent();
    await app.database.withConnection(organization_id, async ({ query }) => {
      await query('BEGIN');
      await query('SELECT FROM sign_documents WHERE organization_id = $1 FOR UPDATE', [organization_id]);
      let is_over = false;
      const look = sweepAt('2026-12-04T00:00:00.000Z').then(() => {
        is_over = true;
      });
      const waiting = () =>
        app.database.withConnection('*', (other) =>
          other.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          ),
        );
      await until('the look ends, or waits', async () => is_over || (await waiting()).length > 0);
      await query('COMMIT');
      assert.equal(is_over, true);
      await look;
    });
    assert.deepEqual(await reminders(), []);
    await sweepAt('2026-12-04T00:00:00.000Z');
    assert.deepEqual(await reminders(), ['12-04 09:00']);
  });

  it('that were missed become one, and the next follows from its day', async () => {
    const { reminders } = await sent();
    await sweepAt('2026-12-11T03:00:00.000Z');
    await sweepAt('2026-12-13T00:00:00.000Z');
    await sweepAt('2026-12-14T00:00:00.000Z');
    assert.deepEqual(await reminders(), ['12-04 09:00 at 12-11 12:00', '12-14 09:00']);
  });

  it('wait for a holiday of the company, but not for one that counts as a workday', async () => {
    const { sender, reminders } = await sent();
    for (const [date, counts_as] of [
      ['2026-12-07', 'prescribed_holiday'],
      ['2026-12-11', 'workday'],
    ]) {
      assert.equal(
        (await sender.post('/attendance/settings/holidays', { date, name: '休業', counts_as })).status,
        201,
      );
    }
    await sweepAt('2026-12-04T00:00:00.000Z');
    await sweepAt('2026-12-07T00:00:00.000Z');
    await sweepAt('2026-12-08T00:00:00.000Z');
    await sweepAt('2026-12-11T00:00:00.000Z');
    assert.deepEqual(await reminders(), ['12-04 09:00', '12-08 09:00', '12-11 09:00']);
  });

  it('are not sent to who has signed, or was replaced since', async () => {
    const { set, reminders, jobs, kinds, organization_id, signer_ids } = await sent({ signers: [{}, {}] });
    await set("UPDATE sign_signers SET status = 'signed' WHERE organization_id = $1 AND id = $2", [
      signer_ids[0],
    ]);
    await sweepAt('2026-12-04T00:00:00.000Z');
    assert.deepEqual(await reminders(), ['12-04 09:00']);
    const [job] = await jobs();
    const asked = job!.payload as Parameters<typeof mailReminders>[1];
    assert.deepEqual(asked.signers, [{ id: signer_ids[1], number: 1 }]);
    const run = () =>
      app.database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          (work) => mailReminders(work, asked),
          { may_change_nothing: true },
        ),
      );
    await set('DELETE FROM sign_reminders WHERE organization_id = $1');
    assert.equal(await run(), 0);
    assert.deepEqual(await kinds(), ['invitation', 'invitation']);
  });

  it('by hand that wait while their signer is replaced are one mail, to who signs now', async () => {
    const { sender, set, jobs, kinds, organization_id, id, signer_ids } = await sent();
    const path = `/sign/documents/${id}`;
    const remind = async (message: string) =>
      assert.equal((await sender.post(`${path}/remind`, { message })).status, 202);
    await remind('first');
    const person = { name: '鈴木 一郎', email: 'ichiro@example.jp' };
    const replaced = await sender.post(`${path}/signers/${signer_ids[0]}/replace`, person);
    assert.equal(replaced.status, 200, replaced.text);
    const [waiting] = await jobs();
    const run = (payload: unknown) =>
      app.database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          (work) => mailReminders(work, payload as Parameters<typeof mailReminders>[1]),
          { may_change_nothing: true },
        ),
      );
    assert.equal(await run(waiting!.payload), 0);
    await remind('second');
    const [, later] = await jobs();
    assert.deepEqual([await run(waiting!.payload), await run(later!.payload)], [1, 0]);
    assert.deepEqual(await kinds(), ['invitation', 'invitation', 'reminder']);
    const mails = await set<{ message: string | null; is_overtaken: string | null }>(
      `SELECT told ->> 'message' AS message, told ->> 'is_overtaken' AS is_overtaken FROM sign_mails
        WHERE organization_id = $1 ORDER BY position`,
    );
    assert.deepEqual(mails, [
      { message: null, is_overtaken: 'true' },
      { message: null, is_overtaken: null },
      { message: 'second', is_overtaken: null },
    ]);
  });
});

describe('warnings and expiries', () => {
  it('come at their times, once, and open signers are expired', async () => {
    const { kinds, document, types, set, organization_id } = await sent({
      signers: [{}, { order_group: 2 }],
    });
    await set('UPDATE sign_signers SET next_reminder_at = NULL WHERE organization_id = $1');
    await sweepAt('2027-02-26T14:59:59.000Z');
    assert.deepEqual(await kinds(), ['invitation']);
    await sweepAt('2027-02-26T15:00:00.000Z');
    await sweepAt('2027-02-26T15:01:00.000Z');
    assert.deepEqual(await kinds(), ['invitation', 'warning to sender', 'warning']);
    await sweepAt('2027-03-01T14:59:59.000Z');
    assert.equal((await document())['status'], 'sent');
    const told = await toldBy(app, organization_id, async () => {
      await Promise.all([sweepAt('2027-03-01T15:00:00.000Z'), sweepAt('2027-03-01T15:00:00.000Z')]);
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['sign.document.cancelled'],
    );
    const { status, cancel_reason, ended_on } = await document();
    assert.deepEqual([status, cancel_reason, ended_on], ['cancelled', 'expired', '2027-03-02']);
    assert.deepEqual(
      (await set<{ status: string }>('SELECT status FROM sign_signers WHERE organization_id = $1')).map(
        (signer) => signer.status,
      ),
      ['expired', 'expired'],
    );
    assert.deepEqual(await types(), ['sent', 'invited', 'expiry_warned', 'expired']);
  });

  it('leave a document alone that all have signed', async () => {
    const { set, document } = await sent();
    await set(
      `UPDATE sign_documents SET sealing_status = 'pending', sealing_since = '2027-03-01T14:59:00Z'
        WHERE organization_id = $1`,
    );
    await set(
      "UPDATE sign_signers SET status = 'signed', next_reminder_at = NULL WHERE organization_id = $1",
    );
    await sweepAt('2027-03-01T15:00:00.000Z');
    assert.equal((await document())['status'], 'sent');
  });
});

describe('a sealing that was left', () => {
  it('is asked for again after ten minutes, and then not for ten more', async () => {
    const { set, jobs } = await sent();
    await set(
      `UPDATE sign_documents SET sealing_status = 'pending', sealing_since = '2026-12-01T02:00:00Z'
        WHERE organization_id = $1`,
    );
    const sealings = async () => (await jobs()).filter(({ name }) => name === 'sign.seal').length;
    await sweepAt('2026-12-01T02:09:59.000Z');
    assert.equal(await sealings(), 0);
    await Promise.all([sweepAt('2026-12-01T02:10:00.000Z'), sweepAt('2026-12-01T02:10:00.000Z')]);
    await sweepAt('2026-12-01T02:19:00.000Z');
    assert.equal(await sealings(), 1);
    // One that pauses is not left as long as it does.
    await set(
      "UPDATE sign_documents SET sealing_next_at = '2026-12-01T06:00:00Z' WHERE organization_id = $1",
    );
    await sweepAt('2026-12-01T06:09:59.000Z');
    assert.equal(await sealings(), 1);
    await sweepAt('2026-12-01T06:10:00.000Z');
    assert.equal(await sealings(), 2);
    const [row] = await set<Record<string, unknown>>(
      'SELECT sealing_since FROM sign_documents WHERE organization_id = $1',
    );
    assert.deepEqual(row, { sealing_since: '2026-12-01T02:00:00.000Z' });
  });
});

describe('a mail whose delivery was given up', () => {
  it('is told as failed: the signer shows it, nobody is reminded, the sender gets a mail', async () => {
    const { set, kinds, types, document } = await sent();
    await set(
      `UPDATE mails SET status = 'failed', error = 'given up', updated_at = '2026-12-01T02:00:00Z'
        WHERE organization_id = $1`,
    );
    await sweepAt('2026-12-01T02:01:00.000Z');
    await sweepAt('2026-12-01T02:02:00.000Z');
    const [signer] = await set<Record<string, unknown>>(
      'SELECT delivery, delivery_error, next_reminder_at FROM sign_signers WHERE organization_id = $1',
    );
    assert.deepEqual(signer, { delivery: 'failed', delivery_error: 'given up', next_reminder_at: null });
    assert.equal((await document())['needs_attention'], true);
    assert.deepEqual(await kinds(), ['invitation', 'undelivered to sender']);
    assert.deepEqual(await types(), ['sent', 'invited', 'delivery_failed']);
  });
});
