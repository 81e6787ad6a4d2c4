import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { newSales } from '../../support/deals.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();

describe('404', () => {
  test('a deal of another organization looks like one that does not exist', async () => {
    const [sales, stranger] = [await newSales(app), await newSales(app)];
    const { id } = await sales.deal();
    for (const reply of [
      await stranger.get(`/crm/deals/${id}`),
      await stranger.patch(`/crm/deals/${id}`, { name: 'X' }),
      await stranger.post(`/crm/deals/${id}/move`, { stage_id: stranger.stage.lead }),
      await stranger.delete(`/crm/deals/${id}`),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [404, 'not_found']);
    }
  });
});

describe('409', () => {
  test('an external_id belongs to one deal', async () => {
    const sales = await newSales(app);
    await sales.deal({ external_id: 'D-1' });
    const reply = await sales.post('/crm/deals', { name: 'x', external_id: 'D-1' });
    assert.deepEqual([reply.status, reply.body.code], [409, 'already_exists']);
    assert.deepEqual(faultsIn(reply.body), ['/external_id already_exists']);
  });
});

describe('412', () => {
  test('of two changes with one If-Match only one succeeds', async () => {
    const sales = await newSales(app);
    const made = await sales.post('/crm/deals', { name: 'x' });
    const headers = { 'If-Match': made.headers.get('etag')! };
    const path = `/crm/deals/${made.body.deal.id}`;
    const replies = await Promise.all([
      sales.patch(path, { name: 'y' }, headers),
      sales.post(`${path}/move`, { stage_id: sales.stage.proposal }, headers),
    ]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412]);
  });
});

describe('422', () => {
  test('references that do not exist, or belong to another organization, are named at their places', async () => {
    const [sales, stranger] = [await newSales(app), await newSales(app)];
    const company = await stranger.make('/crm/companies', { name: 'C' });
    const contact = await stranger.make('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const own = await sales.make('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const { id } = await sales.deal();
    const table: [Record<string, unknown>, string][] = [
      [{ company_id: company.id }, '/company_id'],
      [{ company_id: newId('comp', new Date()) }, '/company_id'],
      [{ contact_ids: [own.id, contact.id] }, '/contact_ids/1'],
      [{ owner_id: stranger.user_id }, '/owner_id'],
      [{ pipeline_id: stranger.pipeline.id }, '/pipeline_id'],
      [{ stage_id: stranger.stage.lead }, '/stage_id'],
    ];
    for (const [fields, path] of table) {
      for (const reply of [
        await sales.post('/crm/deals', { name: 'x', ...fields }),
        await sales.patch(`/crm/deals/${id}`, fields),
      ]) {
        assert.deepEqual([reply.status, reply.body.code], [422, 'unknown_reference'], reply.text);
        assert.deepEqual(faultsIn(reply.body), [`${path} unknown_reference`]);
      }
    }
  });

  test('every fault of form is told at its place', async () => {
    const sales = await newSales(app);
    const reply = await sales.send(
      'POST',
      '/crm/deals',
      JSON.stringify({
        name: '   ',
        amount: '-1',
        currency: 'YEN',
        probability: 101,
        expected_close_date: '2026-02-30',
        contact_ids: ['x'],
        lost_reason: 'a\0b',
        source: 'x'.repeat(101),
        external_id: '\ud800',
        status: 'won',
      }),
    );
    assert.equal(reply.status, 422);
    assert.deepEqual(faultsIn(reply.body), [
      '/amount out_of_range',
      '/contact_ids/0 invalid_id',
      '/currency unknown_currency',
      '/expected_close_date invalid_format',
      '/external_id invalid_characters',
      '/lost_reason invalid_characters',
      '/name too_short',
      '/probability too_large',
      '/source too_long',
      '/status unknown_field',
    ]);
  });

  test('an amount is refused with an exponent, beyond its currency or beyond what is counted', async () => {
    const sales = await newSales(app);
    const send = async (fields: string) =>
      faultsIn((await sales.send('POST', '/crm/deals', `{ "name": "x", ${fields} }`)).body);
    assert.deepEqual(await send('"amount": 1e3'), ['/amount invalid_decimal']);
    assert.deepEqual(await send('"amount": 10.5'), ['/amount too_many_decimals']);
    assert.deepEqual(await send('"amount": "1.234", "currency": "USD"'), ['/amount too_many_decimals']);
    assert.deepEqual(await send('"amount": 10000000000000'), ['/amount out_of_range']);
    const { id } = await sales.deal({ amount: '1.50', currency: 'USD' });
    const reply = await sales.patch(`/crm/deals/${id}`, { currency: 'JPY' });
    assert.deepEqual(faultsIn(reply.body), ['/amount too_many_decimals']);
  });

  test('a contact named twice', async () => {
    const sales = await newSales(app);
    const { id } = await sales.make('/crm/contacts', { first_name: 'A', last_name: 'B' });
    const reply = await sales.post('/crm/deals', { name: 'x', contact_ids: [id, id] });
    assert.deepEqual([reply.status, ...faultsIn(reply.body)], [422, '/contact_ids/1 duplicate']);
  });

  test('a filter of another kind, a sort that is not there, and a status that does not exist', async () => {
    const sales = await newSales(app);
    for (const query of ['pipeline_id=x', 'sort=stage:asc', 'status=closed', 'stage=x']) {
      assert.equal((await sales.get(`/crm/deals?${query}`)).status, 422, query);
    }
  });
});
