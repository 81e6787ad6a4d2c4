import assert from 'node:assert/strict';
import { test } from 'node:test';
import PostalMime from 'postal-mime';
import { newActor } from '../support/actors.ts';
import { onEachEngine } from '../support/engines.ts';
import { outboxCount } from '../support/mail-states.ts';
import { askAt, endedReminders, openSigners } from '../support/open-signers.ts';
import { smtpSink } from '../support/smtp-sink.ts';
import { storedDraft } from '../support/stored-signing.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/workers.ts';

const DAY = 86_400_000;

/** Documents with several signers each: 60 signers all told. */
const DOCUMENTS = 3;
const SIGNERS = 20;

onEachEngine((engine) => {
  test('open signers get one reminder each while a worker is killed, but for those of whom nobody knows', async (context) => {
    const { database } = engine.test_database;
    const { organization_id, user_id } = await newActor(database);
    const sink = await smtpSink();
    const environment = {
      ...engine.environment,
      SMTP_URL: sink.url,
      MAIL_FROM: 'Service <no-reply@example.com>',
      BASE_URL: 'https://service.example',
    };
    const query = <Row extends object>(text: string) =>
      database.withConnection(organization_id, (connection) =>
        connection.query<Row>(text, [organization_id]),
      );
    const now = new Date(Date.now() - 10 * DAY);
    await openSigners(
      database,
      { organization_id, user_id },
      { documents: DOCUMENTS, signers: SIGNERS, now },
    );

    const queues = ['--queues', 'email,signing-reminder'];
    const first = await startWorkers(environment, queues);
    const second = await startWorkers(environment, queues);
    await until('some are sent', () => sink.taken.length >= 5, 120_000);
    await first.kill();
    await until(
      'every mail has ended',
      async () =>
        (await outboxCount(database)) === 0 &&
        (await query("SELECT FROM sign_mails WHERE organization_id = $1 AND kind = 'reminder'")).length ===
          DOCUMENTS * SIGNERS,
      120_000,
    );
    const mails = await endedReminders(database, organization_id);
    const count = (address: string) => sink.taken.filter(({ to }) => to === address).length;
    for (const { status, delivery, email, needs_attention } of mails) {
      assert.equal(delivery, status);
      if (status === 'sent') {
        assert.equal(count(email), 1, email);
      } else {
        assert.equal(status, 'unknown');
        assert.ok(count(email) <= 1 && needs_attention);
      }
    }
    const unknown = mails.filter(({ status }) => status === 'unknown').length;
    assert.ok(unknown <= 10, `${unknown} mails are unknown`);
    context.diagnostic(`${unknown} unknown`);
    const links = new Set(await Promise.all(sink.taken.map(({ raw }) => linkIn(raw))));
    assert.ok(!links.has(undefined));
    assert.equal(await second.stop(), 0);
  });

  test('of a mail that a server refuses the sender is told once, and the document needs attention', async () => {
    const { database } = engine.test_database;
    const { organization_id, user_id } = await newActor(database);
    const sink = await smtpSink();
    sink.verdict = (to, at) =>
      to.startsWith('nobody') && at === 'recipient'
        ? { kind: 'refuse', code: 550, words: 'no such user' }
        : { kind: 'take' };
    const environment = {
      ...engine.environment,
      SMTP_URL: sink.url,
      MAIL_FROM: 'Service <no-reply@example.com>',
      BASE_URL: 'https://service.example',
    };
    const now = new Date();
    const signers = [{ email: 'nobody@example.jp' }, { email: 'somebody@example.jp' }];
    const { id, signer_ids } = await storedDraft({ database }, { organization_id, user_id, signers, now });
    await askAt(database, { organization_id, id, now });
    const query = <Row extends object>(text: string) =>
      database.withConnection(organization_id, (connection) =>
        connection.query<Row>(text, [organization_id]),
      );
    const told = () => sink.taken.filter(({ to }) => !to.startsWith('somebody'));

    const workers = await startWorkers(environment, ['--queues', 'email,signing-reminder']);
    await until('the sender is told', () => told().length > 0, 120_000);
    await until('every mail has ended', async () => (await outboxCount(database)) === 0, 120_000);
    const rows = await query<Record<string, string | null>>(
      'SELECT id, delivery, delivery_error, next_reminder_at FROM sign_signers WHERE organization_id = $1 ORDER BY position',
    );
    const [refused, taken] = rows as [Record<string, string | null>, Record<string, string | null>];
    assert.deepEqual(
      [refused['id'], refused['delivery'], refused['next_reminder_at']],
      [signer_ids[0], 'failed', null],
    );
    assert.match(refused['delivery_error']!, /550.*no such user/);
    assert.deepEqual([taken['delivery'], taken['delivery_error']], ['sent', null]);
    const [document] = await query('SELECT needs_attention FROM sign_documents WHERE organization_id = $1');
    assert.deepEqual(document, { needs_attention: true });
    const [mail, ...more] = told();
    assert.deepEqual(more, []);
    assert.match(mail!.text, /nobody@example\.jp/);
    const events = await query<{ data: object }>(
      "SELECT data FROM sign_trail WHERE organization_id = $1 AND type = 'delivery_failed'",
    );
    assert.deepEqual(events, [{ data: { mail: 'invitation', outcome: 'failed', signer_id: signer_ids[0] } }]);
    assert.equal(await workers.stop(), 0);
  });
});

/** The address that stands alone on a line of a mail's text; of a mail to the sender there is none. */
async function linkIn(raw: string): Promise<string | undefined> {
  const { text = '', subject = '' } = await PostalMime.parse(raw);
  const line = text.split(/\r?\n/).find((one) => one.startsWith('https://service.example/sign/'));
  return line ?? (/確認できません/.test(subject) ? 'none' : undefined);
}
