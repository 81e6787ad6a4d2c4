import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { failureOf } from '../../../shared/db/constraint.ts';
import { transaction } from '../../../shared/db/transaction.ts';
import { newId } from '../../../shared/kernel/id.ts';
import { systemActor } from '../../../shared/kernel/reader.ts';
import { Work } from '../../../shared/kernel/work.ts';
import {
  createMailContact,
  deleteMailContact,
  updateMailContact,
} from '../../../shared/mail/contacts/operations.ts';
import { contactStatuses } from '../../../shared/mail/contacts/record.ts';
import { joinMailList, leaveMailList } from '../../../shared/mail/lists/members.ts';
import { createMailList, deleteMailList } from '../../../shared/mail/lists/operations.ts';
import { freshDatabase } from '../../support/database.ts';

const { database, drop } = await freshDatabase();
after(drop);

const LISTS = 3;
const CONTACTS = 4;

const list = fc.nat(LISTS - 1);
const contact = fc.nat(CONTACTS - 1);
const step = fc.oneof(
  fc.record({ kind: fc.constant('create' as const), contact, list: fc.option(list) }),
  fc.record({ kind: fc.constant('status' as const), contact, status: fc.constantFrom(...contactStatuses) }),
  fc.record({ kind: fc.constant('join' as const), contact, list }),
  fc.record({ kind: fc.constant('leave' as const), contact, list }),
  fc.record({ kind: fc.constant('erase' as const), contact }),
  fc.record({ kind: fc.constant('drop' as const), list }),
  fc.record({ kind: fc.constant('refuse' as const), contact, list }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** An organization in which contacts and lists are told by their numbers. */
function newWorld() {
  const organization_id = newId('org', new Date());
  const consent = { basis: 'consent' as const, source: null, at: '', text: null, tracking: false };

  async function within(run: (work: Work) => Promise<unknown> | unknown): Promise<void> {
    await database.withConnection(organization_id, (connection) =>
      transaction(connection, async (commit) => {
        const now = new Date();
        const request = { request_id: null, ip_address: null };
        const work = new Work({ connection, organization_id, actor: systemActor, now, ...request });
        await run(work);
        await commit(work.finish());
      }),
    );
  }

  async function idOf(table: string, name: string): Promise<string> {
    const [row] = await database.withConnection(organization_id, ({ query }) =>
      query<{ id: string }>(
        `SELECT id FROM ${table} WHERE organization_id = $1 AND ${table === 'mail_lists' ? 'name' : 'email'} = $2`,
        [organization_id, name],
      ),
    );
    return row?.id ?? '';
  }

  const listId = (n: number) => idOf('mail_lists', `list ${n}`);
  const contactId = (n: number) => idOf('mail_contacts', `c${n}@example.com`);

  /** Does a step; what is refused (no such record, a consent that is missing) changes nothing. */
  async function take(one: Step): Promise<void> {
    const list_id = 'list' in one && one.list !== null ? await listId(one.list) : null;
    const contact_id = 'contact' in one ? await contactId(one.contact) : '';
    const at = new Date().toISOString();
    await within(async (work) => {
      if (one.kind === 'create')
        await createMailContact(work, { email: `c${one.contact}@example.com`, list_id });
      if (one.kind === 'status') {
        await updateMailContact(work, contact_id, { status: one.status, consent: { ...consent, at } });
      }
      if (one.kind === 'join') await joinMailList(work, list_id!, contact_id);
      if (one.kind === 'leave') await leaveMailList(work, list_id!, contact_id);
      if (one.kind === 'erase') await deleteMailContact(work, contact_id);
      if (one.kind === 'drop') await deleteMailList(work, list_id!);
      if (one.kind === 'refuse') await refuse(work, list_id!, contact_id);
    }).catch((error) => {
      const { code } = failureOf(error);
      assert.notEqual(code, 'internal_error', error);
    });
  }

  return { organization_id, within, take };
}

/** What a person does who leaves a list by the link in a mail: contact, then list, then the membership. */
async function refuse(work: Work, list_id: string, contact_id: string): Promise<void> {
  const { organization_id, connection, now } = work;
  const key = [organization_id, contact_id];
  const [found] = await connection.query<{ status: string }>(
    'SELECT status FROM mail_contacts WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
    key,
  );
  await connection.query(
    'SELECT id FROM mail_lists WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [organization_id, list_id],
  );
  const left = await connection.query(
    `UPDATE mail_list_members SET unsubscribed_at = $4
      WHERE organization_id = $1 AND contact_id = $2 AND list_id = $3 AND unsubscribed_at IS NULL RETURNING 1`,
    [...key, list_id, now.toISOString()],
  );
  if (left.length > 0 && found?.status === 'active') {
    work.run('UPDATE mail_lists SET active_count = active_count - 1 WHERE organization_id = $1 AND id = $2', [
      organization_id,
      list_id,
    ]);
  }
  work.nothingChanged();
}

/** Every list whose counts are not what counting gives. */
function wrongCounts(organization_id: string): Promise<object[]> {
  return database.withConnection(organization_id, ({ query }) =>
    query(
      `SELECT * FROM (
         SELECT list.name, contact_count, active_count, count(contact.id) AS contacts,
                count(contact.id) FILTER (WHERE status = 'active' AND unsubscribed_at IS NULL) AS active
           FROM mail_lists AS list
           LEFT JOIN mail_list_members AS member
             ON member.organization_id = list.organization_id AND member.list_id = list.id
           LEFT JOIN mail_contacts AS contact
             ON contact.organization_id = member.organization_id AND contact.id = member.contact_id
          WHERE list.organization_id = $1 GROUP BY list.organization_id, list.id) AS counted
        WHERE (contact_count, active_count) IS DISTINCT FROM (contacts, active)`,
      [organization_id],
    ),
  );
}

describe('the counts of lists', () => {
  test('are what counting gives after any steps, one after the other and some at once', async () => {
    const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rounds, async (steps) => {
        const world = newWorld();
        for (let n = 0; n < LISTS; n += 1)
          await world.within((work) => createMailList(work, { name: `list ${n}` }));
        for (let n = 0; n < CONTACTS; n += 1)
          await world.take({ kind: 'create', contact: n, list: n % LISTS });
        for (const round of steps) {
          await Promise.all(round.map(world.take));
          assert.deepEqual(await wrongCounts(world.organization_id), []);
        }
      }),
      { numRuns: 60 },
    );
  });
});
