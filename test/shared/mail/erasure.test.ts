import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { transaction } from '../../../shared/db/transaction.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { Work } from '../../../shared/kernel/work.ts';
import {
  bounceRecipient,
  complainRecipient,
  unsubscribeRecipient,
} from '../../../shared/mail/bounces/changes.ts';
import { provenRecipient } from '../../../shared/mail/bounces/recipients.ts';
import { createMailContact, deleteMailContact } from '../../../shared/mail/contacts/operations.ts';
import { suppressionHash } from '../../../shared/mail/email-key.ts';
import { createMailList } from '../../../shared/mail/lists/operations.ts';
import { freshDatabase } from '../../support/database.ts';
import { somebodyWaits } from '../../support/held.ts';

/** Statements that the database was told. */
let told = 0;
const { database, drop } = await freshDatabase({
  on_statement: () => {
    told += 1;
  },
});
after(drop);

const now = new Date('2026-11-27T00:00:00.000Z');

/** An organization whose transactions tell how often they were begun. */
function newWorld() {
  const organization_id = newId('org', now);
  let attempts = 0;

  async function within<T>(run: (work: Work) => Promise<T>): Promise<T> {
    return database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        attempts += 1;
        const request = { request_id: null, ip_address: null };
        const work = new Work(
          { connection, organization_id, actor: systemActor, now, ...request },
          { may_change_nothing: true },
        );
        const result = await run(work);
        await commit(work.finish());
        return result;
      }),
    );
  }

  const query = <Row extends object>(text: string, values: unknown[] = []) =>
    database.withConnection(organization_id, (connection) =>
      connection.query<Row>(text, [organization_id, ...values]),
    );

  async function campaign(): Promise<string> {
    const id = newId('camp', now);
    await query(
      `INSERT INTO mail_campaigns (organization_id, id, name, status, locale, purpose, track_opens, track_clicks, throttle,
         search_text, search_grams, created_at, updated_at)
       VALUES ($1, $2, 'A', 'sending', 'ja', 'notice', false, false, '{}', '', '{}', $3, $3)`,
      [id, now.toISOString()],
    );
    return id;
  }

  /** Recipients of campaigns that have this contact, one each. */
  async function recipients(
    campaign_ids: readonly string[],
    { id: contact_id, email }: { id: string; email: string },
    { number = 1, status = 'sent' } = {},
  ): Promise<string[]> {
    const ids = campaign_ids.map(() => newId('mrcp', now));
    await query(
      `INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, contact_id, email, email_key,
         email_hash, status, smtp_response, tracked, created_at, updated_at)
       SELECT $1, campaign_id, $4, id, $5, $6, $6, $7, $8, '250 to ' || $6, true, $9, $9
         FROM unnest($2::text[], $3::text[]) AS row (campaign_id, id)`,
      [
        campaign_ids,
        ids,
        number,
        contact_id,
        email,
        suppressionHash(organization_id, email),
        status,
        now.toISOString(),
      ],
    );
    return ids;
  }

  const contactOf = (email: string, list_id: string | null = null) =>
    within((work) => createMailContact(work, { email, list_id }));
  const recipientOf = (work: Work, id: string) =>
    provenRecipient(work, 'bounce', { tokens: [], message_ids: [`<${id}@example.co.jp>`] });

  return {
    organization_id,
    within,
    query,
    campaign,
    recipients,
    contactOf,
    recipientOf,
    attempts: () => attempts,
  };
}

const hard = { class: 'hard', status: '5.1.1', diagnostic: '550 5.1.1 <taro@example.jp>' } as const;

describe('the erasure of a contact', () => {
  test('leaves its recipients the hash of the address and their counts, and skips those that wait', async () => {
    const world = newWorld();
    const contact = await world.contactOf('taro@example.jp');
    const other = await world.contactOf('jiro@example.jp');
    const [sent, waiting] = [await world.campaign(), await world.campaign()];
    await world.recipients([sent], contact);
    await world.recipients([waiting], contact, { status: 'queued', number: 17 });
    await world.recipients([waiting], other, { status: 'queued', number: 2 });
    await world.query(
      `INSERT INTO mail_campaign_counts (organization_id, campaign_id, slot, queued) VALUES ($1, $2, 1, 1), ($1, $2, 2, 1)`,
      [waiting],
    );
    for (const number of [1, 2]) {
      await world.query(
        `INSERT INTO mail_campaign_reads (organization_id, campaign_id, recipient_number, kind, is_robot, at)
         VALUES ($1, $2, $3, 'open', false, $4)`,
        [sent, number, now.toISOString()],
      );
    }
    await world.within((work) => deleteMailContact(work, contact.id));
    const rows = await world.query<{ number: number; status: string; reason: string; whole: boolean }>(
      `SELECT number, status, reason, email_hash IS NOT NULL AND num_nulls(contact_id, email, email_key, smtp_response) = 4
         AS whole FROM mail_campaign_recipients WHERE organization_id = $1 AND number <> 2 ORDER BY number`,
    );
    assert.deepEqual(rows, [
      { number: 1, status: 'sent', reason: null, whole: true },
      { number: 17, status: 'skipped', reason: 'erased', whole: true },
    ]);
    assert.deepEqual(
      await world.query(
        `SELECT sum(queued)::integer AS queued, sum(skipped)::integer AS skipped,
           (SELECT sum(skipped)::integer FROM mail_campaign_skips WHERE organization_id = $1 AND reason = 'erased') AS erased
           FROM mail_campaign_counts WHERE organization_id = $1`,
      ),
      [{ queued: 1, skipped: 1, erased: 1 }],
    );
    assert.deepEqual(
      await world.query('SELECT recipient_number FROM mail_campaign_reads WHERE organization_id = $1'),
      [{ recipient_number: 2 }],
    );
    const [left] = await world.query<{ status: string; email: string }>(
      'SELECT status, email FROM mail_campaign_recipients WHERE organization_id = $1 AND number = 2',
    );
    assert.deepEqual(left, { status: 'queued', email: 'jiro@example.jp' });
  });

  test('sends as many statements for a thousand campaigns as for one', async () => {
    const world = newWorld();
    const statements: number[] = [];
    for (const count of [1, 1_000]) {
      const contact = await world.contactOf(`p${count}@example.jp`);
      const campaign_ids = await Promise.all(Array.from({ length: count }, () => world.campaign()));
      await world.recipients(campaign_ids, contact, { status: 'queued' });
      told = 0;
      await world.within((work) => deleteMailContact(work, contact.id));
      statements.push(told);
    }
    assert.equal(statements[0], statements[1]);
    assert.deepEqual(
      await world.query(
        `SELECT count(*)::integer AS count FROM mail_campaign_recipients WHERE organization_id = $1 AND status = 'skipped'`,
      ),
      [{ count: 1_001 }],
    );
  });

  test('waits for a bounce that holds a recipient, which is left to take the contact', async () => {
    const world = newWorld();
    const contact = await world.contactOf('taro@example.jp');
    const [recipient_id] = await world.recipients([await world.campaign()], contact);
    const before = world.attempts();
    const held = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const bouncing = world.within(async (work) => {
      const recipient = await world.recipientOf(work, recipient_id!);
      held.resolve();
      await waits.promise;
      await bounceRecipient(work, recipient!, hard, now.toISOString());
    });
    await held.promise;
    const erasing = world.within((work) => deleteMailContact(work, contact.id));
    await somebodyWaits(database);
    waits.resolve();
    await Promise.all([bouncing, erasing]);
    assert.equal(world.attempts() - before, 2);
    const [row] = await world.query<{ bounce_class: string; bounce_diagnostic: null; contact_id: null }>(
      'SELECT bounce_class, bounce_diagnostic, contact_id FROM mail_campaign_recipients WHERE organization_id = $1',
    );
    assert.deepEqual(row, { bounce_class: 'hard', bounce_diagnostic: null, contact_id: null });
    const suppressions = await world.query(
      'SELECT email, reason FROM suppressions WHERE organization_id = $1',
    );
    assert.deepEqual(suppressions, [{ email: null, reason: 'hard_bounce' }]);
  });

  test('takes along a recipient that a freeze adds meanwhile', async () => {
    const world = newWorld();
    const contact = await world.contactOf('taro@example.jp');
    const campaign_id = await world.campaign();
    const before = world.attempts();
    const added = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const freezing = world.within(async (work) => {
      await work.connection.query(
        `INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, contact_id, email, email_key,
           email_hash, status, tracked, created_at, updated_at)
         SELECT $1, $2, 1, $3, id, email, email_key, ''::bytea, 'queued', false, $4, $4 FROM mail_contacts
          WHERE organization_id = $1`,
        [world.organization_id, campaign_id, newId('mrcp', now), now.toISOString()],
      );
      added.resolve();
      await waits.promise;
    });
    await added.promise;
    const erasing = world.within((work) => deleteMailContact(work, contact.id));
    await somebodyWaits(database);
    waits.resolve();
    await Promise.all([freezing, erasing]);
    // The erasure began again, since it holds recipients before their contact.
    assert.equal(world.attempts() - before, 3);
    const [row] = await world.query<{ status: string; email: string | null }>(
      'SELECT status, email FROM mail_campaign_recipients WHERE organization_id = $1',
    );
    assert.deepEqual(row, { status: 'skipped', email: null });
  });

  test('never meets bounces, complaints and refusals in a circle', async () => {
    const world = newWorld();
    const list = await world.within(async (work) => createMailList(work, { name: 'A' }));
    const campaign_ids = [await world.campaign(), await world.campaign(), await world.campaign()];
    const ROUNDS = 40;
    let expected = world.attempts();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const contacts = [
        await world.contactOf(`a${round}@example.jp`, list.id),
        await world.contactOf(`b${round}@example.jp`, list.id),
      ];
      const ids = await Promise.all(
        contacts.map((contact, at) => world.recipients(campaign_ids, contact, { number: 2 * round + at })),
      );
      const [a, b] = ids as [string[], string[]];
      const at = now.toISOString();
      const acting = (id: string, act: typeof complainRecipient) =>
        world.within(async (work) => act(work, (await world.recipientOf(work, id))!, at));
      const bounce: typeof complainRecipient = (work, recipient, when) =>
        bounceRecipient(work, recipient, hard, when);
      const refuse: typeof complainRecipient = (work, recipient, when) =>
        unsubscribeRecipient(work, recipient, { reason: 'page', at: when });
      const erase = (id: string) => world.within((work) => deleteMailContact(work, id));
      const acts = [
        () => acting(a[2]!, bounce),
        () => erase(contacts[0]!.id),
        () => acting(b[0]!, complainRecipient),
        () => acting(a[0]!, refuse),
        () => erase(contacts[1]!.id),
        () => acting(b[1]!, bounce),
      ];
      if (round % 2 === 0) acts.reverse();
      await Promise.all(acts.map((act) => act()));
      expected += contacts.length + acts.length;
    }
    // A transaction that met another one in a circle would have been begun again.
    assert.equal(world.attempts(), expected);
    const [left] = await world.query<{ contacts: number; named: number; counted: number }>(
      `SELECT (SELECT count(*)::integer FROM mail_contacts WHERE organization_id = $1) AS contacts,
         (SELECT count(*)::integer FROM mail_campaign_recipients WHERE organization_id = $1 AND email IS NOT NULL) AS named,
         (SELECT contact_count FROM mail_lists WHERE organization_id = $1) AS counted`,
    );
    assert.deepEqual(left, { contacts: 0, named: 0, counted: 0 });
  });
});
