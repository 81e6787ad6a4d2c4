import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inWork } from '../../shared/db/in-work.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import { mailboxFolder, mailboxIds } from '../../shared/platform/mailer/mailbox.ts';
import { mailboxMessage } from '../../shared/platform/mailer/mailbox-message.ts';
import type { SealSettings } from '../../shared/platform/settings/settings.ts';
import { sendDocument } from '../../shared/sign/life/send.ts';
import { libfaketime } from '../support/moved-clock.ts';
import { founded, type MovedPrograms, movedPrograms, tokyo } from '../support/moved-programs.ts';
import { storedDraft } from '../support/stored-signing.ts';
import { until } from '../support/until.ts';

const QUEUES = 'email,signing-reminder';

/** Waits until the workers have done whatever is due at a time, and every mail has gone. */
function quietAt({ database }: MovedPrograms, time: string) {
  return until(`all that is due at ${time} is done`, async () => {
    const left = await database.withConnection('*', ({ query }) =>
      query(
        `SELECT FROM sign_signers WHERE next_reminder_at <= $1
         UNION ALL SELECT FROM sign_documents WHERE warn_at <= $1
         UNION ALL SELECT FROM sign_documents WHERE status = 'sent' AND expires_at <= $1
         UNION ALL SELECT FROM outbox WHERE name LIKE 'sign.%' OR name LIKE 'mailer.%'
         UNION ALL SELECT FROM mails WHERE status IN ('queued', 'sending')`,
        [tokyo(time)],
      ),
    );
    return left.length === 0;
  });
}

/** How often each signer of a document, and its sender, got which mail. */
async function mailsOf({ database, folder }: MovedPrograms): Promise<Record<string, number>> {
  const rows = await database.withConnection('*', ({ query }) =>
    query<{ id: string; kind: string }>('SELECT mail_id AS id, kind FROM sign_mails'),
  );
  const kinds = new Map(rows.map(({ id, kind }) => [id, kind]));
  const counts: Record<string, number> = {};
  for (const id of await mailboxIds(mailboxFolder(folder))) {
    const kind = kinds.get(id);
    if (kind === undefined) continue;
    const to = (await mailboxMessage(mailboxFolder(folder), id))!.to[0]!;
    const key = `${to.split('@')[0]!.split('.')[0]} ${kind}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

describe('documents through a winter', { skip: libfaketime ? false : 'libfaketime is not installed' }, () => {
  test('are reminded of on working days, never twice, and expire', async () => {
    const service = await movedPrograms('2026-12-01T10:23');
    const { moveTo, database } = service;
    const sender = await founded(service);
    const [owner] = await database.withConnection('*', ({ query }) =>
      query<{ organization_id: string; user_id: string }>('SELECT organization_id, user_id FROM members'),
    );
    const send = async (time: string) => {
      const now = new Date(tokyo(time));
      const { organization_id } = owner!;
      const { id } = await storedDraft(service, { ...owner!, now });
      const seal = { embeddedDatabase: true, dataDir: service.folder } as SealSettings;
      const { document } = await database.withConnection(organization_id, (connection) =>
        inWork(
          { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
          (work) => sendDocument(work, id, seal),
        ),
      );
      return document;
    };
    const dates = (id: string) =>
      database.withConnection('*', ({ query }) =>
        query<{ day: string }>(
          `SELECT to_char(claim.created_at AT TIME ZONE 'Asia/Tokyo', 'MM-DD') AS day FROM sign_reminders AS claim
             JOIN sign_signers AS signer ON signer.id = claim.signer_id
            WHERE signer.document_id = $1 AND claim.kind = 'reminder' ORDER BY claim.number`,
          [id],
        ),
      );

    const december = await send('2026-12-01T10:23');
    assert.match(december.expires_at!, /^2027-03-01T15:00:00/);
    let workers = await service.work(QUEUES);
    await quietAt(service, '2026-12-01T10:23');
    await moveTo('2026-12-04T08:58');
    await quietAt(service, '2026-12-04T08:58');
    assert.deepEqual(await dates(december.id), []);
    for (const day of ['04', '07', '10', '13', '14']) {
      await moveTo(`2026-12-${day}T09:01`);
      await quietAt(service, `2026-12-${day}T09:01`);
      if (day === '07') {
        await workers.kill();
        workers = await service.work(QUEUES);
      }
    }
    // Nobody works on the day of the last reminder: it is sent when somebody does again.
    assert.equal(await workers.stop(), 0);
    await moveTo('2026-12-17T20:00');
    workers = await service.work(QUEUES);
    await quietAt(service, '2026-12-17T20:00');
    const all = ['12-04', '12-07', '12-10', '12-14', '12-17'];
    assert.deepEqual(
      (await dates(december.id)).map(({ day }) => day),
      all,
    );

    await moveTo('2027-01-07T10:00');
    const january = await send('2027-01-07T10:00');
    for (const day of ['10', '11', '12', '15', '18', '21', '24', '25']) {
      await moveTo(`2027-01-${day}T09:01`);
      await quietAt(service, `2027-01-${day}T09:01`);
    }
    assert.deepEqual(
      (await dates(january.id)).map(({ day }) => day),
      ['01-12', '01-15', '01-18', '01-21', '01-25'],
    );

    await moveTo('2027-02-26T23:58');
    await quietAt(service, '2027-02-26T23:58');
    assert.equal((await mailsOf(service))['signer1 warning'], undefined);
    await moveTo('2027-02-27T00:01');
    await quietAt(service, '2027-02-27T00:01');
    await moveTo('2027-03-02T00:01');
    await quietAt(service, '2027-03-02T00:01');
    const { document } = (await sender.get(`/sign/documents/${december.id}`)).body;
    assert.deepEqual([document.status, document.cancel_reason], ['cancelled', 'expired']);
    const mails = await mailsOf(service);
    const own = Object.fromEntries(Object.entries(mails).filter(([key]) => key.startsWith('signer1')));
    assert.deepEqual(own, { 'signer1 invitation': 2, 'signer1 reminder': 10, 'signer1 warning': 1 });
    assert.equal(await workers.stop(), 0);
  });
});
