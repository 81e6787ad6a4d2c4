import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../../../shared/kernel/id.ts';
import { emailKey } from '../../../../shared/mail/email-key.ts';
import { compileFilter } from '../../../../shared/mail/segments/compile.ts';
import { opsOf } from '../../../../shared/mail/segments/fields.ts';
import type { FilterCondition, SegmentFilter } from '../../../../shared/mail/segments/filter.ts';
import { startApp } from '../../../support/app.ts';
import { isFound, type ModelContact } from '../../../support/segment-model.ts';

const app = await startApp();
const client = await app.actor();
const { organization_id, user_id } = client.actor;

const NOW = new Date('2026-04-10T00:00:00.000Z');
const at = (day: number, hour = 0) => new Date(NOW.getTime() + (day * 24 + hour) * 3_600_000).toISOString();

const lists: string[] = [];
const campaigns: string[] = [];
const tags: string[] = [];
const contacts: ModelContact[] = [];

const pickOf = <Value>(values: readonly Value[], n: number) => values[n % values.length]!;

before(async () => {
  await client.post('/crm/pipelines', { name: '営業' });
  for (const name of ['一', '二']) {
    lists.push((await client.post('/mail/lists', { name })).body.list.id);
    tags.push((await client.post('/crm/tags', { name })).body.tag.id);
    campaigns.push((await client.post('/mail/campaigns', { name })).body.campaign.id);
  }
  await app.database.withConnection(organization_id, async ({ query }) => {
    for (let n = 0; n < 72; n++) {
      const contact = modelContact(n);
      contacts.push(contact);
      await query(
        `INSERT INTO mail_contacts (organization_id, id, email, email_key, first_name, last_name, status, attributes,
           consent, search_text, created_at, updated_at, last_sent_at, last_opened_at)
         VALUES ($1, $2, $3, $4, $5, $6, 'active', $7, $8, '', $9, $9, $10, $11)`,
        [
          organization_id,
          contact.id,
          contact.email,
          emailKey(contact.email),
          contact.first_name,
          contact.last_name,
          JSON.stringify(contact.attributes),
          contact.consent && JSON.stringify(contact.consent),
          contact.created_at,
          contact.last_sent_at,
          contact.last_opened_at,
        ],
      );
      for (const list_id of contact.list_ids) {
        await query(
          'INSERT INTO mail_list_members (organization_id, list_id, contact_id, added_at) VALUES ($1, $2, $3, now())',
          [organization_id, list_id, contact.id],
        );
      }
      for (const campaign_id of new Set([...contact.received, ...contact.opened])) {
        await query(
          `INSERT INTO mail_campaign_recipients (organization_id, campaign_id, number, id, contact_id, email_hash, status,
             tracked, opened_at, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, '', $6, true, $7, now(), now())`,
          [
            organization_id,
            campaign_id,
            n + 1,
            `mrcp_${campaigns.indexOf(campaign_id)}_${n}`,
            contact.id,
            contact.received.includes(campaign_id) ? 'sent' : 'unknown',
            contact.opened.includes(campaign_id) ? NOW.toISOString() : null,
          ],
        );
      }
    }
  });
  // The linked contact is the oldest of those with the e-mail: the younger ones have what nobody may find.
  for (const contact of contacts.filter((_, n) => n % 3 === 0)) {
    const { linked } = contact;
    const owner_id = linked.owner_id[0] ?? null;
    const made = await client.post('/crm/contacts', {
      first_name: 'あ',
      last_name: 'い',
      email: contact.email,
      owner_id,
    });
    assert.equal(made.status, 201, made.text);
    const person = made.body.contact.id;
    for (const tag_id of linked.tag_id) await tag(tag_id, person);
    if (linked.deal_status.length > 0) {
      const deal = await client.post('/crm/deals', { name: '更新', contact_ids: [person] });
      assert.equal(deal.status, 201, deal.text);
    }
    const twin = await client.post('/crm/contacts', {
      first_name: 'う',
      last_name: 'え',
      email: contact.email,
    });
    await tag(tags[1]!, twin.body.contact.id);
  }
});

async function tag(tag_id: string, resource_id: string) {
  const reply = await client.post('/crm/tag-assignments', { tag_id, resource_type: 'contact', resource_id });
  assert.equal(reply.status, 201, reply.text);
}

function modelContact(n: number): ModelContact {
  const created_at = at(-(n % 40), n % 2);
  return {
    id: newId('mcont', new Date(created_at)),
    email: `${pickOf(['Hanako', 'taro', 'ＫＥＮ'], n).normalize('NFKC')}${n}@${pickOf(['example.co.jp', 'Example.COM', 'mail.example.com'], n)}`,
    first_name: pickOf([null, '花子', 'ＡＢｃ', 'abc', 'ﾊﾅｺ', 'ハナコ'], n),
    last_name: pickOf([null, '山田', 'Yamada', '山'], n),
    attributes: pickOf<Record<string, string>>(
      [{}, { 会社名: 'ｶﾌﾞ' }, { 会社名: '' }, { 会社名: 'カブ商店', 'a.b': 'X' }, { 会社名: '100%_\\' }],
      n,
    ),
    consent: pickOf(
      [
        null,
        { basis: 'consent', source: '展示会', at: at(-3) },
        { basis: 'published', source: null, at: at(-30) },
      ],
      n,
    ),
    created_at,
    last_sent_at: pickOf([null, at(-1), at(-7), at(-7, -1), at(1)], n),
    last_opened_at: pickOf([null, null, at(0)], n),
    list_ids: lists.filter((_, list) => (n + list) % 3 === 0),
    received: campaigns.filter((_, campaign) => (n + campaign) % 4 === 0),
    opened: campaigns.filter((_, campaign) => (n + campaign) % 8 === 0),
    linked: {
      tag_id: n % 3 === 0 && n % 2 === 0 ? [tags[0]!] : [],
      owner_id: n % 9 === 0 ? [user_id] : [],
      deal_status: n % 15 === 0 ? ['open'] : [],
    },
  };
}

async function found(filter: SegmentFilter): Promise<string[]> {
  const values: unknown[] = [organization_id];
  const matches = compileFilter(filter, (value) => `$${values.push(value)}`, NOW);
  const rows = await app.database.withConnection(organization_id, ({ query }) =>
    query<{ id: string }>(
      `SELECT id FROM mail_contacts AS contact WHERE organization_id = $1 AND ${matches} ORDER BY id`,
      values,
      { prepared: false },
    ),
  );
  return rows.map(({ id }) => id);
}

const text: fc.Arbitrary<string> = fc.constantFrom(
  '山',
  '山田',
  'YAMADA',
  'ａｂＣ',
  'ハナコ',
  'ﾊﾅ',
  'カブ',
  '%',
  '_',
  'x',
  '展示',
  'example.com',
);
const time = fc.constantFrom(at(-7), at(-3), at(0), at(-1, 1));

type Asked = Pick<FilterCondition, 'op' | 'value'>;

function values(kind: 'text' | 'time' | 'word', words: fc.Arbitrary<string>): fc.Arbitrary<Asked> {
  return fc.constantFrom(...opsOf[kind]).chain((op): fc.Arbitrary<Asked> => {
    if (op === 'is_empty' || op === 'is_not_empty') return fc.constant({ op });
    if (op === 'within_days')
      return fc.record({ op: fc.constant(op), value: fc.integer({ min: 1, max: 40 }) });
    const one = kind === 'time' ? time : words;
    const isMany = op === 'any_of' || op === 'none_of';
    return fc.record({
      op: fc.constant(op),
      value: isMany ? fc.array(one, { minLength: 1, maxLength: 3 }) : one,
    });
  });
}

function asked(
  kind: 'text' | 'time' | 'word',
  fields: readonly string[],
  words = text,
): fc.Arbitrary<FilterCondition> {
  return fc
    .tuple(fc.constantFrom(...fields), values(kind, words))
    .map(([field, rest]) => ({ field, ...rest }));
}

describe('the statement of a filter', () => {
  test('finds whom the model finds', async () => {
    const condition = fc.oneof(
      asked('text', [
        'email',
        'domain',
        'first_name',
        'last_name',
        'attributes.会社名',
        'attributes.a.b',
        'consent.source',
      ]),
      asked('time', ['created_at', 'last_sent_at', 'last_opened_at', 'consent.at']),
      asked('word', ['list_id'], fc.constantFrom(...lists)),
      asked('word', ['consent.basis'], fc.constantFrom('consent', 'published', 'relationship')),
      asked('word', ['crm.tag_id'], fc.constantFrom(...tags)),
      asked('word', ['crm.owner_id'], fc.constant(user_id)),
      asked('word', ['crm.deal_status'], fc.constantFrom('open', 'won')),
      fc.record({
        field: fc.constant('campaign_id'),
        op: fc.constantFrom('received', 'opened', 'not_received', 'not_opened'),
        value: fc.constantFrom(...campaigns),
      }) as fc.Arbitrary<FilterCondition>,
    );
    const { filter } = fc.letrec<{ filter: SegmentFilter }>((tie) => ({
      filter: fc.oneof(
        { depthSize: 'small', maxDepth: 4 },
        { weight: 3, arbitrary: condition },
        { weight: 1, arbitrary: fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }) },
        { weight: 1, arbitrary: fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }) },
        { weight: 1, arbitrary: fc.record({ not: tie('filter') }) },
      ),
    }));
    const property = fc.asyncProperty(filter, async (each) => {
      const expected = contacts.filter((contact) => isFound(each, contact, NOW)).map(({ id }) => id);
      assert.deepEqual(await found(each), expected.sort());
    });
    await fc.assert(property, { numRuns: 400 });
  });

  test('compares the custom fields of the linked contact by what they are', async () => {
    const other = await app.actor();
    const { organization_id: id } = other.actor;
    for (const [key, type, options] of [
      ['rank', 'text', undefined],
      ['score', 'number', undefined],
      ['met', 'date', undefined],
      ['kinds', 'multi_select', ['甲', '乙']],
    ] as const) {
      const made = await other.post('/crm/custom-fields', {
        kind: 'contact',
        key,
        label: key,
        type,
        options,
      });
      assert.equal(made.status, 201, made.text);
    }
    await other.post('/mail/contacts', { email: 'a@example.com' });
    const custom_fields = { rank: 'Ａ', score: 12.5, met: '2026-04-01', kinds: ['甲'] };
    const person = await other.post('/crm/contacts', {
      first_name: 'あ',
      last_name: 'い',
      email: 'A@example.com',
      custom_fields,
    });
    assert.equal(person.status, 201, person.text);
    for (const [key, op, value, isThere] of [
      ['rank', 'equals', 'a', true],
      ['rank', 'contains', 'b', false],
      ['rank', 'gt', 5, false],
      ['score', 'gt', 12, true],
      ['score', 'gte', '12.50', true],
      ['score', 'lt', 9, false],
      ['met', 'lte', '2026-04-01', true],
      ['met', 'gt', '2026-04-01', false],
      ['kinds', 'any_of', ['乙', '甲'], true],
      ['kinds', 'none_of', ['乙'], true],
      ['missing', 'is_empty', undefined, true],
      ['missing', 'equals', 'null', false],
    ] as const) {
      const filter = { field: `crm.custom_fields.${key}`, op, value };
      const reply = await other.post('/mail/segments/preview', { filter });
      assert.equal(reply.status, 200, reply.text);
      assert.equal(reply.body.contact_count, isThere ? 1 : 0, `${id} ${JSON.stringify(filter)}`);
    }
  });
});
