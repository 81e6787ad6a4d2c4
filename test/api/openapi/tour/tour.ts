import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.d.ts';

/**
 * A day with the CRM, by the client that openapi-typescript makes from the OpenAPI text. This file is compiled
 * against that client and then run, so a type that lies is found.
 */

type Schemas = components['schemas'];

const api = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? '',
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
});

/** The answer of a call that must work. */
async function ok<Data>(call: Promise<{ data?: Data; error?: unknown; response: Response }>): Promise<Data> {
  const { data, error, response } = await call;
  assert(data !== undefined, `${response.status} ${response.url} ${JSON.stringify(error)}`);
  return data;
}

const { pipelines } = await ok(api.GET('/api/v1/crm/pipelines'));
const standard = pipelines.find(({ is_default }) => is_default);
assert(standard);
const { pipeline } = await ok(
  api.GET('/api/v1/crm/pipelines/{id}', { params: { path: { id: standard.id } } }),
);
const stageOf = (slug: string): string => {
  const stage = pipeline.stages.find((one) => one.slug === slug);
  assert(stage, slug);
  return stage.id;
};

const { custom_field } = await ok(
  api.POST('/api/v1/crm/custom-fields', {
    body: { kind: 'company', key: 'rank', label: 'ランク', type: 'select', options: ['A', 'B'] },
  }),
);
assert.equal(custom_field.key, 'rank');

const { company } = await ok(
  api.POST('/api/v1/crm/companies', {
    body: { name: '山田商事株式会社', name_kana: 'ヤマダショウジ', custom_fields: { rank: 'A' } },
  }),
);
const { contact } = await ok(
  api.POST('/api/v1/crm/contacts', {
    body: { first_name: '花子', last_name: '山田', email: 'hanako@example.co.jp', company_id: company.id },
    params: { header: { 'Idempotency-Key': 'tour-contact' } },
  }),
);
assert.equal(contact.full_name, '山田 花子');
assert.equal(contact.company_id, company.id);

const { deal } = await ok(
  api.POST('/api/v1/crm/deals', {
    body: { name: '基幹システム更新', company_id: company.id, contact_ids: [contact.id], amount: 1_200_000 },
  }),
);
assert.equal(deal.stage_slug, 'lead');
for (const slug of ['proposal', 'negotiation', 'closed_won']) {
  const moved = await ok(
    api.POST('/api/v1/crm/deals/{id}/move', {
      params: { path: { id: deal.id } },
      body: { stage_id: stageOf(slug) },
    }),
  );
  assert.equal(moved.deal.stage_slug, slug);
}

const { activity } = await ok(
  api.POST('/api/v1/crm/activities', {
    body: { type: 'call', content: '契約の日程を決めた', deal_id: deal.id, contact_id: contact.id },
  }),
);
assert.equal(activity.type, 'call');

const { tag } = await ok(api.POST('/api/v1/crm/tags', { body: { name: '重要', color: '#B45309' } }));
const assignment = { tag_id: tag.id, resource_type: 'deal', resource_id: deal.id } as const;
const { assignment: first } = await ok(api.POST('/api/v1/crm/tag-assignments', { body: assignment }));
const { assignment: second } = await ok(api.POST('/api/v1/crm/tag-assignments', { body: assignment }));
assert.equal(second.id, first.id);

const { items: found } = await ok(api.GET('/api/v1/crm/search', { params: { query: { q: '山田' } } }));
assert.deepEqual(new Set(found.map(({ id }) => id)), new Set([company.id, contact.id, deal.id]));

const { board } = await ok(
  api.GET('/api/v1/crm/pipelines/{id}/board', { params: { path: { id: pipeline.id } } }),
);
const won = board.stages.find(({ stage }) => stage.slug === 'closed_won');
assert.deepEqual(
  won?.deals.map(({ id, tags }) => [id, tags.map(({ name }) => name)]),
  [[deal.id, ['重要']]],
);

const byCursor = { cursor_mode: true, company_id: company.id };
const listed = await ok(api.GET('/api/v1/crm/contacts', { params: { query: byCursor } }));
assert('has_more' in listed);
assert.deepEqual(
  listed.data.map(({ id }) => id),
  [contact.id],
);

const byPage = await ok(api.GET('/api/v1/crm/contacts', { params: { query: { page: 1, per_page: 10 } } }));
assert('pagination' in byPage);
assert.equal(byPage.pagination.total, 1);
const byOffset = await ok(
  api.GET('/api/v1/crm/contacts', { params: { query: { limit: 10, skip_total: true } } }),
);
assert('items' in byOffset);
assert.equal(byOffset.total, -1);

const { contact: changed } = await ok(
  api.PATCH('/api/v1/crm/contacts/{id}', {
    params: { path: { id: contact.id } },
    body: { position: '購買部長', phone: null },
  }),
);
assert.equal(changed.position, '購買部長');

const read = await api.GET('/api/v1/crm/contacts/{id}', { params: { path: { id: contact.id } } });
const etag = read.response.headers.get('etag') ?? '';
const unchanged = await api.GET('/api/v1/crm/contacts/{id}', {
  params: { path: { id: contact.id }, header: { 'If-None-Match': etag } },
});
assert.equal(unchanged.response.status, 304);
const guarded = { path: { id: contact.id }, header: { 'If-Match': etag } };
await ok(api.PATCH('/api/v1/crm/contacts/{id}', { params: guarded, body: { note: '次は秋に' } }));
const late = await api.PATCH('/api/v1/crm/contacts/{id}', { params: guarded, body: { note: '次は冬に' } });
assert.equal(late.error?.code, 'precondition_failed');

const { contact: twin } = await ok(
  api.POST('/api/v1/crm/contacts', {
    body: { first_name: '花子', last_name: '山田', email: 'hanako@example.co.jp' },
  }),
);
const { items: doubles } = await ok(
  api.GET('/api/v1/crm/duplicates', { params: { query: { kind: 'contact' } } }),
);
assert.deepEqual(doubles[0]?.reasons, ['email']);
const merge = { params: { path: { id: contact.id } }, body: { loser_id: twin.id } };
const { moved } = await ok(api.POST('/api/v1/crm/contacts/{id}/merge', merge));
assert.equal(moved.deals, 0);
const survivor = await ok(api.GET('/api/v1/crm/contacts/{id}', { params: { path: { id: twin.id } } }));
assert.equal(survivor.contact.id, contact.id);

const timeline = await ok(api.GET('/api/v1/crm/timeline', { params: { query: { deal_id: deal.id } } }));
assert(timeline.data.some(({ type }) => type === 'stage_change'));

const { items: audit } = (await ok(
  api.GET('/api/v1/crm/audit-logs', { params: { query: { entity_id: deal.id } } }),
)) as { items: Schemas['AuditLog'][] };
assert.deepEqual(new Set(audit.map(({ action }) => action)), new Set(['create', 'update']));

const wanted = new Set([
  'crm.company.created',
  'crm.contact.created',
  'crm.deal.created',
  'crm.deal.stage_updated',
  'crm.activity.created',
  'crm.contact.updated',
]);
let last: string | undefined;
for (const until = Date.now() + 20_000; wanted.size > 0; ) {
  assert(Date.now() < until, `no event of ${[...wanted]}`);
  const query = { order: 'asc', ...(last && { starting_after: last }) } as const;
  const { data: events } = await ok(api.GET('/api/v1/events', { params: { query } }));
  for (const event of events) wanted.delete(event.type);
  last = events.at(-1)?.id ?? last;
}

await ok(
  api.DELETE('/api/v1/crm/tag-assignments/{tag_id}', {
    params: { path: { tag_id: tag.id }, query: { resource_type: 'deal', resource_id: deal.id } },
  }),
);
await ok(api.DELETE('/api/v1/crm/contacts/{id}', { params: { path: { id: contact.id } } }));

const { error, response } = await api.GET('/api/v1/crm/contacts/{id}', {
  params: { path: { id: contact.id } },
});
assert.equal(response.status, 404);
assert.equal(error?.code, 'not_found');
process.stdout.write('The tour is over\n');
