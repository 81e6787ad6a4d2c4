import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startApp } from '../../support/app.ts';

const app = await startApp();

const slugs = (pipeline: { stages: { slug: string }[] }) => pipeline.stages.map(({ slug }) => slug);
const faults = (reply: { body: { errors: { path: string; code: string }[] } }) =>
  reply.body.errors.map(({ path, code }) => `${path} ${code}`);

describe('POST /crm/pipelines', () => {
  test('201: without stages it gets the six usual ones, and the first one is the default', async () => {
    const client = await app.actor();
    const reply = await client.post('/crm/pipelines', { name: ' 新規営業 ' });
    assert.equal(reply.status, 201, reply.text);
    const { pipeline } = reply.body;
    assert.equal(reply.headers.get('location'), `/api/v1/crm/pipelines/${pipeline.id}`);
    assert.deepEqual([pipeline.name, pipeline.is_default, pipeline.sort_order], ['新規営業', true, 0]);
    assert.deepEqual(
      pipeline.stages.map((stage: Record<string, unknown>) => [stage.slug, stage.type, stage.probability]),
      [
        ['lead', 'open', 10],
        ['qualification', 'open', 20],
        ['proposal', 'open', 50],
        ['negotiation', 'open', 80],
        ['closed_won', 'won', 100],
        ['closed_lost', 'lost', 0],
      ],
    );
    assert.deepEqual((await client.get(`/crm/pipelines/${pipeline.id}`)).body, reply.body);
  });

  test('201: takes stages as they are sent and orders them by sort_order', async () => {
    const client = await app.actor();
    const stages = [
      { name: 'B', slug: 'b', sort_order: 2, color: '#00ff00', stale_after_days: 7 },
      { name: 'A', slug: 'a', sort_order: 1, probability: 33 },
      { name: 'W', slug: 'won', sort_order: 3, type: 'won' },
    ];
    const { body } = await client.post('/crm/pipelines', { name: 'P', stages });
    assert.deepEqual(slugs(body.pipeline), ['a', 'b', 'won']);
    assert.equal(body.pipeline.stages[0].probability, 33);
    assert.equal(body.pipeline.stages[2].probability, 100);
    assert.deepEqual(
      [body.pipeline.stages[1].color, body.pipeline.stages[1].stale_after_days],
      ['#00ff00', 7],
    );
  });

  test('201: a second default ends the first', async () => {
    const client = await app.actor();
    const first = (await client.post('/crm/pipelines', { name: 'A' })).body.pipeline;
    await client.post('/crm/pipelines', { name: 'B' });
    await client.post('/crm/pipelines', { name: 'C', is_default: true });
    const { pipelines } = (await client.get('/crm/pipelines')).body;
    const shown = pipelines.map((one: Record<string, unknown>) => [one.name, one.is_default, one.sort_order]);
    assert.deepEqual(shown, [
      ['A', false, 0],
      ['B', false, 1],
      ['C', true, 2],
    ]);
    assert.ok(pipelines[0].updated_at > first.updated_at);
    assert.ok(!('stages' in pipelines[0]));
  });

  test('422: two stages with one slug, at the second one', async () => {
    const client = await app.actor();
    const stages = ['a', 'b', 'a'].map((slug) => ({ name: slug, slug }));
    const reply = await client.post('/crm/pipelines', { name: 'P', stages });
    assert.equal(reply.status, 422, reply.text);
    assert.deepEqual(faults(reply), ['/stages/2/slug duplicate']);
  });

  test('422: a list that is empty or has no open stage', async () => {
    const client = await app.actor();
    const empty = await client.post('/crm/pipelines', { name: 'P', stages: [] });
    assert.deepEqual([empty.status, ...faults(empty)], [422, '/stages too_small']);
    const stages = [{ name: 'W', slug: 'closed_won' }];
    const closed = await client.post('/crm/pipelines', { name: 'P', stages });
    assert.deepEqual([closed.status, ...faults(closed)], [422, '/stages no_open_stage']);
  });

  test('422: names every fault of form at its place', async () => {
    const client = await app.actor();
    const stages = [
      { name: '\0', slug: 'Bad Slug', probability: 2 ** 60, type: 'maybe', color: 'red' },
      { slug: 'a' },
    ];
    const reply = await client.post('/crm/pipelines', { name: '  ', stages, colour: 1 });
    assert.equal(reply.status, 422);
    assert.deepEqual(faults(reply).sort(), [
      '/colour unknown_field',
      '/name too_short',
      '/stages/0/color invalid_format',
      '/stages/0/name invalid_characters',
      '/stages/0/probability too_large',
      '/stages/0/slug invalid_format',
      '/stages/0/type invalid_value',
      '/stages/1/name required',
    ]);
  });
});

describe('PATCH /crm/pipelines/{id}', () => {
  test('200: stages that keep their slug keep their ID, the others are new or gone', async () => {
    const client = await app.actor();
    const before = (await client.post('/crm/pipelines', { name: 'P' })).body.pipeline;
    const stages = [
      { name: '新規', slug: 'lead' },
      { name: 'デモ', slug: 'demo' },
      { name: '失注', slug: 'closed_lost' },
    ];
    const reply = await client.patch(`/crm/pipelines/${before.id}`, { stages });
    assert.equal(reply.status, 200, reply.text);
    const { pipeline, moved_deals } = reply.body;
    assert.equal(moved_deals, 0);
    assert.deepEqual(slugs(pipeline), ['lead', 'demo', 'closed_lost']);
    assert.equal(pipeline.stages[0].id, before.stages[0].id);
    assert.equal(pipeline.stages[2].id, before.stages[5].id);
    assert.equal(pipeline.stages[0].probability, 10);
    assert.deepEqual((await client.get(`/crm/pipelines/${before.id}`)).body.pipeline, pipeline);
  });

  test('200: one that changes nothing records nothing', async () => {
    const client = await app.actor();
    const made = (await client.post('/crm/pipelines', { name: 'P' })).body.pipeline;
    const same = made.stages.map(({ name, slug }: { name: string; slug: string }) => ({ name, slug }));
    for (const body of [{}, { name: 'P' }, { is_default: true }, { stages: same }]) {
      const reply = await client.patch(`/crm/pipelines/${made.id}`, body);
      assert.deepEqual([reply.status, reply.body.pipeline], [200, made]);
    }
    const audit = await client.get(`/crm/audit-logs?entity_id=${made.id}`);
    assert.equal(audit.body.total, 1);
  });

  test('200: of 50 at once that make 50 pipelines the default, one is it in the end', async () => {
    const client = await app.actor();
    const ids: string[] = [];
    for (let n = 0; n < 50; n += 1)
      ids.push((await client.post('/crm/pipelines', { name: `${n}` })).body.pipeline.id);
    const replies = await Promise.all(
      ids.map((id) => client.patch(`/crm/pipelines/${id}`, { is_default: true })),
    );
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    assert.ok(replies.every(({ body }) => body.pipeline.is_default));
    const { pipelines } = (await client.get('/crm/pipelines')).body;
    assert.equal(pipelines.filter((one: { is_default: boolean }) => one.is_default).length, 1);
  });

  test('409: the default cannot simply cease to be it', async () => {
    const client = await app.actor();
    const made = (await client.post('/crm/pipelines', { name: 'P' })).body.pipeline;
    const reply = await client.patch(`/crm/pipelines/${made.id}`, { is_default: false });
    assert.deepEqual([reply.status, reply.body.code], [409, 'default_pipeline']);
  });

  test('412: two with one If-Match never both succeed', async () => {
    const client = await app.actor();
    const made = await client.post('/crm/pipelines', { name: 'P' });
    const headers = { 'If-Match': made.headers.get('etag')! };
    const path = `/crm/pipelines/${made.body.pipeline.id}`;
    const replies = await Promise.all(['A', 'B'].map((name) => client.patch(path, { name }, headers)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  });

  test('422: a mapping from or to no stage, or without stages beside it', async () => {
    const client = await app.actor();
    const made = (await client.post('/crm/pipelines', { name: 'P' })).body.pipeline;
    const path = `/crm/pipelines/${made.id}`;
    const alone = await client.patch(path, { stage_mapping: { lead: 'demo' } });
    assert.deepEqual([alone.status, ...faults(alone)], [422, '/stage_mapping needs_stages']);
    const stages = [{ name: 'Demo', slug: 'demo' }];
    const wrong = await client.patch(path, { stages, stage_mapping: { lead: 'none', some: 'demo' } });
    assert.deepEqual(
      [wrong.status, ...faults(wrong)],
      [422, '/stage_mapping/lead unknown_slug', '/stage_mapping/some unknown_slug'],
    );
  });
});

describe('DELETE /crm/pipelines/{id}', () => {
  test('200: with its stages; a second time it is 404', async () => {
    const client = await app.actor();
    await client.post('/crm/pipelines', { name: 'P' });
    const { id } = (await client.post('/crm/pipelines', { name: 'Q' })).body.pipeline;
    const reply = await client.delete(`/crm/pipelines/${id}`);
    assert.deepEqual([reply.status, reply.body], [200, { success: true }]);
    assert.equal((await client.delete(`/crm/pipelines/${id}`)).status, 404);
    assert.equal((await client.get('/crm/pipelines')).body.pipelines.length, 1);
  });

  test('409: the default pipeline stays', async () => {
    const client = await app.actor();
    const { id } = (await client.post('/crm/pipelines', { name: 'P' })).body.pipeline;
    const reply = await client.delete(`/crm/pipelines/${id}`);
    assert.deepEqual([reply.status, reply.body.code], [409, 'default_pipeline']);
  });

  test('422: deals cannot go to a pipeline that is not there, or to the same one', async () => {
    const client = await app.actor();
    const stranger = await app.actor();
    const foreign = (await stranger.post('/crm/pipelines', { name: 'P' })).body.pipeline.id;
    await client.post('/crm/pipelines', { name: 'P' });
    const { id } = (await client.post('/crm/pipelines', { name: 'Q' })).body.pipeline;
    for (const target of [foreign, id]) {
      const reply = await client.delete(`/crm/pipelines/${id}?move_deals_to=${target}`);
      assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference'], reply.text);
      assert.equal(reply.body.errors[0].path, 'move_deals_to');
    }
  });
});

describe('a pipeline of another organization', () => {
  test('404: looks like one that does not exist', async () => {
    const owner = await app.actor();
    const stranger = await app.actor();
    const { id } = (await owner.post('/crm/pipelines', { name: 'P' })).body.pipeline;
    const replies = [
      await stranger.get(`/crm/pipelines/${id}`),
      await stranger.patch(`/crm/pipelines/${id}`, { name: 'X' }),
      await stranger.delete(`/crm/pipelines/${id}`),
    ];
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code]),
      Array(3).fill([404, 'not_found']),
    );
  });
});
