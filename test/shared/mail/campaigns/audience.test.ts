import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../../../shared/kernel/id.ts';
import { systemActor } from '../../../../shared/kernel/reader.ts';
import {
  type Audience,
  audienceSql,
  countAudience,
  refusalSql,
} from '../../../../shared/mail/campaigns/audience.ts';
import type { ValueName } from '../../../../shared/mail/content/placeholders.ts';
import { emailKey, suppressionHash } from '../../../../shared/mail/email-key.ts';
import type { SegmentFilter } from '../../../../shared/mail/segments/filter.ts';
import { startApp } from '../../../support/app.ts';
import {
  type AudienceContact,
  countsOfModel,
  isInAudience,
  reasonFor,
} from '../../../support/audience-model.ts';

const app = await startApp();
const client = await app.actor();
const { organization_id } = client.actor;

const BEGAN = '2026-04-10T00:00:00.000Z';
const EARLIER = '2026-04-09T00:00:00.000Z';
const LATER = '2026-04-10T00:00:00.001Z';

const lists: string[] = [];
const contacts: AudienceContact[] = [];

const pickOf = <Value>(values: readonly Value[], n: number) => values[n % values.length]!;

/** What SMTP cannot take; the first one can. */
const ODD = [
  `${'a'.repeat(61)}0@example.jp`,
  `${'a'.repeat(65)}0@example.jp`,
  'あ0@example.jp',
  'a0@b@example.jp',
  'a0 b@example.jp',
  '@example.jp0',
  'a0@',
  'a0\r\nb@example.jp',
  `a0@${'b'.repeat(250)}`,
];

/** Every combination that matters stands somewhere: the lengths of the lists have no common divisor. */
function modelContact(n: number): AudienceContact {
  return {
    id: newId('mcont', new Date(pickOf([EARLIER, BEGAN, LATER], n >> 2))),
    email: n % 13 === 0 ? pickOf(ODD, n).replace('0', `${n}`) : `p${n}@example.jp`,
    first_name: pickOf([null, '花子', '', '太郎', '花子'], n),
    last_name: pickOf([null, '山田', '佐藤'], n >> 1),
    attributes: pickOf<Record<string, string>>(
      [{}, { 会社名: '山田' }, { 会社名: '' }, { 会社名: '佐' }],
      n >> 3,
    ),
    status: pickOf(['active', 'active', 'active', 'active', 'unsubscribed', 'active', 'bounced'], n),
    consent: pickOf(
      [
        { basis: 'consent', tracking: true },
        { basis: 'published', tracking: false },
        null,
        { basis: 'consent', tracking: false },
      ],
      n,
    ),
    created_at: pickOf([EARLIER, BEGAN, LATER], n >> 2),
    is_suppressed: n % 11 === 0,
    memberships: lists.flatMap((list_id, index) =>
      (n + index) % 3 === 0
        ? [
            {
              list_id,
              added_at: pickOf([EARLIER, BEGAN, LATER, EARLIER], n),
              has_left: (n + index) % 5 === 0,
            },
          ]
        : [],
    ),
  };
}

before(async () => {
  for (const name of ['一', '二', '三'])
    lists.push((await client.post('/mail/lists', { name })).body.list.id);
  const other = await app.actor();
  await app.database.withConnection('*', async ({ query }) => {
    for (let n = 0; n < 240; n++) {
      const contact = modelContact(n);
      contacts.push(contact);
      for (const organization of [organization_id, other.actor.organization_id]) {
        await query(
          `INSERT INTO mail_contacts (organization_id, id, email, email_key, first_name, last_name, status, attributes,
             consent, search_text, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', $10, $10)`,
          [
            organization,
            contact.id,
            contact.email,
            emailKey(contact.email),
            contact.first_name,
            contact.last_name,
            contact.status,
            JSON.stringify(contact.attributes),
            contact.consent && JSON.stringify(contact.consent),
            contact.created_at,
          ],
        );
      }
      for (const { list_id, added_at, has_left } of contact.memberships) {
        await query(
          `INSERT INTO mail_list_members (organization_id, list_id, contact_id, added_at, unsubscribed_at)
           VALUES ($1, $2, $3, $4, $5)`,
          [organization_id, list_id, contact.id, added_at, has_left ? added_at : null],
        );
      }
      if (contact.is_suppressed) {
        await query(
          `INSERT INTO suppressions (organization_id, id, email, email_hash, reason, created_at, updated_at)
           VALUES ($1, $2, $3, $4, 'x', now(), now())`,
          [
            organization_id,
            newId('supp', new Date()),
            contact.email,
            suppressionHash(organization_id, emailKey(contact.email)),
          ],
        );
      }
    }
  });
});

/** Lists by their place, since they are made later. */
const listIds = fc.subarray([0, 1, 2]);

const FIRST_NAME: SegmentFilter = { field: 'first_name', op: 'equals', value: '花子' };

const audiences = fc.record({
  list_places: listIds,
  exclude_places: listIds,
  filter: fc.constantFrom(null, { all: [] }, FIRST_NAME),
  /** How the segment asks for lists; null: not at all. */
  asked: fc.option(fc.constantFrom('only', 'and', 'or', 'not'), { freq: 2 }),
  asked_places: listIds,
  purpose: fc.constantFrom('advertisement' as const, 'notice' as const),
  mail_order: fc.boolean(),
  needed: fc.subarray<ValueName>([
    'email',
    'first_name',
    'last_name',
    'full_name',
    'attributes.会社名',
    'sender_name',
    'sent_date',
  ]),
});

type Drawn = typeof audiences extends fc.Arbitrary<infer Value> ? Value : never;

function audienceOf({ list_places, exclude_places, asked, asked_places, ...rest }: Drawn): Audience {
  const inLists: SegmentFilter = {
    field: 'list_id',
    op: 'any_of',
    value: asked_places.map((place) => lists[place]!),
  };
  const filters = {
    only: inLists,
    and: { all: [inLists, FIRST_NAME] },
    or: { any: [inLists, FIRST_NAME] },
    not: { all: [{ not: inLists }, FIRST_NAME] },
  };
  return {
    ...rest,
    filter: asked === null ? rest.filter : filters[asked],
    list_ids: list_places.map((place) => lists[place]!),
    exclude_list_ids: exclude_places.map((place) => lists[place]!),
  };
}

type Found = { id: string; reason: string | null };

async function found(audience: Audience, began: string | null): Promise<Found[]> {
  const values: unknown[] = [organization_id];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { isMatched, reason } = audienceSql(audience, bind, { now: new Date(BEGAN), began });
  return app.database.withConnection(organization_id, ({ query }) =>
    query<Found>(
      `SELECT id, ${reason} AS reason FROM mail_contacts AS contact
        WHERE organization_id = $1 AND ${isMatched} ORDER BY id`,
      values,
      { prepared: false },
    ),
  );
}

describe('the audience of a campaign', () => {
  test('has whom the model has, each with the first reason that applies', async () => {
    const property = fc.asyncProperty(audiences, fc.constantFrom(null, BEGAN), async (drawn, began) => {
      const audience = audienceOf(drawn);
      const expected = contacts
        .filter((contact) => isInAudience(audience, contact, began))
        .map((contact) => ({ id: contact.id, reason: reasonFor(audience, contact) }));
      assert.deepEqual(
        (await found(audience, began)).map(({ id, reason }) => ({ id, reason })),
        expected.sort((one, other) => (one.id < other.id ? -1 : 1)),
      );
    });
    await fc.assert(property, { numRuns: 150 });
  });

  test('is counted as the model counts it', async () => {
    const property = fc.asyncProperty(audiences, async (drawn) => {
      const audience = audienceOf(drawn);
      const counts = await app.database.withConnection(organization_id, (connection) =>
        countAudience(
          {
            connection,
            organization_id,
            actor: systemActor,
            now: new Date(BEGAN),
            request_id: null,
            ip_address: null,
          },
          audience,
        ),
      );
      assert.deepEqual(counts, countsOfModel(audience, contacts));
    });
    await fc.assert(property, { numRuns: 50 });
  });

  test('asked again: a list that was deleted, or left by others’ hand, refuses nothing', async () => {
    const rules = { purpose: 'notice', mail_order: false, list_ids: ['mlist_gone'] } as const;
    const values: unknown[] = [organization_id];
    const refusal = refusalSql(rules, "'\\x00'::bytea", (value) => `$${values.push(value)}`);
    const rows = await app.database.withConnection(organization_id, ({ query }) =>
      query<{ status: string; refusal: string | null }>(
        `SELECT DISTINCT status, ${refusal} AS refusal FROM mail_contacts AS contact WHERE organization_id = $1
          ORDER BY status`,
        values,
        { prepared: false },
      ),
    );
    assert.deepEqual(
      rows.map(({ status, refusal }) => [status, refusal]),
      [
        ['active', null],
        ['bounced', 'bounced'],
        ['unsubscribed', 'unsubscribed'],
      ],
    );
  });
});
