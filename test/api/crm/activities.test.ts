import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { newSales, type Sales } from '../../support/deals.ts';
import { faultsIn, toldBy } from '../../support/facts.ts';

const app = await startApp();

/** A deal, a contact and a company to speak about. */
async function subjects(sales: Sales) {
  const company = await sales.make('/crm/companies', { name: 'C' });
  const contact = await sales.make('/crm/contacts', { first_name: 'A', last_name: 'B' });
  const deal = await sales.deal();
  return { deal_id: deal.id, contact_id: contact.id, company_id: company.id };
}

describe('201', () => {
  test('an activity with type and content took place now', async () => {
    const sales = await newSales(app);
    const reply = await sales.post('/crm/activities', { type: 'note', content: ' 電話あり ' });
    const { activity } = reply.body;
    assert.equal(reply.status, 201, reply.text);
    assert.equal(reply.headers.get('location'), `/api/v1/crm/activities/${activity.id}`);
    assert.deepEqual(
      [activity.object, activity.type, activity.content],
      ['crm.activity', 'note', '電話あり'],
    );
    assert.deepEqual([activity.created_by, activity.occurred_at], [sales.user_id, activity.created_at]);
    assert.deepEqual([activity.deal_id, activity.contact_id, activity.company_id], [null, null, null]);
    assert.deepEqual((await sales.get(`/crm/activities/${activity.id}`)).body, reply.body);
  });

  test('an activity with everything is read back as it was answered, and told once', async () => {
    const sales = await newSales(app);
    const about = await subjects(sales);
    let activity: Record<string, unknown> = {};
    const told = await toldBy(app, sales.organization_id, async () => {
      activity = await sales.make('/crm/activities', {
        type: 'meeting',
        content: 'x'.repeat(20_000),
        ...about,
        occurred_at: '2026-04-01T09:30:00+09:00',
        duration_minutes: 45,
        due_at: '2026-05-01T00:00:00Z',
        done_at: null,
      });
    });
    assert.equal(activity.occurred_at, '2026-04-01T00:30:00.000Z');
    assert.deepEqual((await sales.get(`/crm/activities/${activity.id}`)).body.activity, activity);
    assert.deepEqual(
      told.events.map(({ type, data }) => [type, data]),
      [['crm.activity.created', activity]],
    );
  });
});

describe('200', () => {
  test('a change of the fields sent is in the audit log and no event', async () => {
    const sales = await newSales(app);
    const about = await subjects(sales);
    const before = await sales.make('/crm/activities', { type: 'call', content: 'a', ...about });
    const told = await toldBy(app, sales.organization_id, async () => {
      const reply = await sales.patch(`/crm/activities/${before.id}`, { content: 'b', deal_id: null });
      assert.equal(reply.status, 200, reply.text);
      const { updated_at, ...after } = reply.body.activity;
      assert.deepEqual(
        { ...after, updated_at: before.updated_at },
        { ...before, content: 'b', deal_id: null },
      );
      assert.ok(updated_at > before.updated_at);
      assert.equal((await sales.patch(`/crm/activities/${before.id}`, {})).status, 200);
    });
    assert.deepEqual(told.events, []);
    assert.deepEqual(
      told.audit.map(({ action, changes }) => [action, changes]),
      [['update', { content: ['a', 'b'], deal_id: [about.deal_id, null] }]],
    );
  });

  test('a deletion is told; a second one is 404', async () => {
    const sales = await newSales(app);
    const activity = await sales.make('/crm/activities', { type: 'call', content: 'a' });
    const told = await toldBy(app, sales.organization_id, async () => {
      assert.deepEqual((await sales.delete(`/crm/activities/${activity.id}`)).body, { success: true });
    });
    assert.deepEqual(
      told.events.map(({ type }) => type),
      ['crm.activity.deleted'],
    );
    assert.equal((await sales.delete(`/crm/activities/${activity.id}`)).status, 404);
  });

  test('the list keeps what its filters name', async () => {
    const sales = await newSales(app);
    const about = await subjects(sales);
    await sales.make('/crm/activities', { type: 'note', content: '1' });
    for (const [field, id] of Object.entries(about)) {
      await sales.make('/crm/activities', { type: 'call', content: field, [field]: id });
    }
    const by = async (query: string) =>
      (await sales.get(`/crm/activities?${query}`)).body.items.map(
        ({ content }: { content: string }) => content,
      );
    for (const [field, id] of Object.entries(about)) assert.deepEqual(await by(`${field}=${id}`), [field]);
    assert.deepEqual(await by('type=call'), ['company_id', 'contact_id', 'deal_id']);
    assert.equal((await sales.get('/crm/activities?limit=2')).body.total, 4);
  });

  test('what an activity was about may go; the activity keeps its text', async () => {
    const sales = await newSales(app);
    const about = await subjects(sales);
    const made = await sales.make('/crm/activities', { type: 'note', content: 'x', ...about });
    await sales.delete(`/crm/deals/${about.deal_id}`);
    await sales.delete(`/crm/contacts/${about.contact_id}`);
    await sales.delete(`/crm/companies/${about.company_id}`);
    const { activity } = (await sales.get(`/crm/activities/${made.id}`)).body;
    const { updated_at } = activity;
    assert.deepEqual(activity, { ...made, deal_id: null, contact_id: null, company_id: null, updated_at });
    assert.ok(updated_at > made.updated_at);
  });
});

describe('404', () => {
  test('an activity of another organization', async () => {
    const [sales, stranger] = [await newSales(app), await newSales(app)];
    const { id } = await sales.make('/crm/activities', { type: 'note', content: 'x' });
    for (const reply of [
      await stranger.get(`/crm/activities/${id}`),
      await stranger.patch(`/crm/activities/${id}`, { content: 'y' }),
      await stranger.delete(`/crm/activities/${id}`),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
    }
  });
});

describe('412', () => {
  test('of two changes with one If-Match only one succeeds', async () => {
    const sales = await newSales(app);
    const made = await sales.post('/crm/activities', { type: 'note', content: 'x' });
    const headers = { 'If-Match': made.headers.get('etag')! };
    const path = `/crm/activities/${made.body.activity.id}`;
    const replies = await Promise.all(['a', 'b'].map((content) => sales.patch(path, { content }, headers)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  });
});

describe('422', () => {
  test('a type that does not exist, with those that do', async () => {
    const sales = await newSales(app);
    const body = await sales.post('/crm/activities', { type: 'meetings', content: 'x' });
    const filter = await sales.get('/crm/activities?type=meetings');
    for (const reply of [body, filter]) {
      assert.equal(reply.status, 422);
      assert.equal(reply.body.errors[0].message, 'type must be "note", "call", "email", "meeting"');
    }
  });

  test('references that do not exist, or belong to another organization', async () => {
    const [sales, stranger] = [await newSales(app), await newSales(app)];
    const unknown = {
      deal_id: newId('deal', new Date()),
      contact_id: newId('cont', new Date()),
      company_id: newId('comp', new Date()),
    };
    const { id } = await sales.make('/crm/activities', { type: 'note', content: 'x' });
    for (const about of [unknown, await subjects(stranger)]) {
      for (const [field, value] of Object.entries(about)) {
        for (const reply of [
          await sales.post('/crm/activities', { type: 'note', content: 'x', [field]: value }),
          await sales.patch(`/crm/activities/${id}`, { [field]: value }),
        ]) {
          assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference']);
          assert.deepEqual(faultsIn(reply.body), [`/${field} unknown_reference`]);
        }
      }
    }
  });

  test('every fault of form is told at its place', async () => {
    const sales = await newSales(app);
    const reply = await sales.post('/crm/activities', {
      content: 'x'.repeat(20_001),
      occurred_at: '2026-04-01',
      due_at: '0000-01-01T00:00:00Z',
      done_at: '9999-12-31T23:59:59-09:00',
      duration_minutes: 1.5,
      deal_id: 'x',
      created_by: sales.user_id,
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(faultsIn(reply.body), [
      '/content too_long',
      '/created_by unknown_field',
      '/deal_id invalid_id',
      '/done_at invalid_format',
      '/due_at invalid_format',
      '/duration_minutes invalid_type',
      '/occurred_at invalid_format',
      '/type required',
    ]);
    const empty = await sales.post('/crm/activities', { type: 'note', content: ' \n ' });
    assert.deepEqual(faultsIn(empty.body), ['/content too_short']);
  });
});
