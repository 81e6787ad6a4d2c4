import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import type { Client } from '../../support/client.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();

async function make(client: Client, fields: Record<string, unknown>) {
  const reply = await client.post('/crm/companies', fields);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.company;
}

describe('404', () => {
  test('a company of another organization, one that is deleted, and what is no ID look the same', async () => {
    const client = await app.actor();
    const stranger = await app.actor();
    const { id } = await make(stranger, { name: 'A' });
    const gone = await make(client, { name: 'B' });
    await client.delete(`/crm/companies/${gone.id}`);
    for (const one of [id, gone.id, 'comp_x']) {
      for (const reply of [
        await client.get(`/crm/companies/${one}`),
        await client.patch(`/crm/companies/${one}`, { name: 'C' }),
        await client.delete(`/crm/companies/${one}`),
      ]) {
        assert.equal(reply.status, 404);
        assert.equal(reply.body.code, 'not_found');
      }
    }
  });
});

describe('409', () => {
  test('already_exists: a corporate number or an external ID that another company has', async () => {
    const client = await app.actor();
    await make(client, { name: 'A', corporate_number: '1180301018771', external_id: 'x' });
    const other = await make(client, { name: 'B' });
    for (const fields of [{ corporate_number: '1180301018771' }, { external_id: 'x' }]) {
      for (const reply of [
        await client.post('/crm/companies', { name: 'C', ...fields }),
        await client.patch(`/crm/companies/${other.id}`, fields),
      ]) {
        assert.equal(reply.status, 409, reply.text);
        assert.equal(reply.body.code, 'already_exists');
        assert.deepEqual(faultsIn(reply.body), [`/${Object.keys(fields)[0]} already_exists`]);
      }
    }
    await make(await app.actor(), { name: 'A', corporate_number: '1180301018771', external_id: 'x' });
  });

  test('cycle: a company that would belong to itself, at any distance', async () => {
    const client = await app.actor();
    const top = await make(client, { name: 'top' });
    const middle = await make(client, { name: 'middle', parent_id: top.id });
    const low = await make(client, { name: 'low', parent_id: middle.id });
    for (const parent_id of [top.id, middle.id, low.id]) {
      const reply = await client.patch(`/crm/companies/${top.id}`, { parent_id });
      assert.equal(reply.status, 409, reply.text);
      assert.equal(reply.body.code, 'cycle');
      assert.deepEqual(faultsIn(reply.body), ['/parent_id cycle']);
    }
    assert.equal((await client.patch(`/crm/companies/${low.id}`, { parent_id: top.id })).status, 200);
  });

  test('cycle: of two companies that take each other for parent at once, one is refused', async () => {
    const client = await app.actor();
    for (let round = 0; round < 5; round += 1) {
      const [left, right] = [await make(client, { name: 'l' }), await make(client, { name: 'r' })];
      const replies = await Promise.all([
        client.patch(`/crm/companies/${left.id}`, { parent_id: right.id }),
        client.patch(`/crm/companies/${right.id}`, { parent_id: left.id }),
      ]);
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409]);
    }
  });
});

describe('412', () => {
  test('two changes with one If-Match never both succeed', async () => {
    const client = await app.actor();
    const made = await client.post('/crm/companies', { name: 'A' });
    const path = `/crm/companies/${made.body.company.id}`;
    const etag = made.headers.get('etag')!;
    const replies = await Promise.all(
      ['B', 'C', 'D'].map((name) => client.patch(path, { name }, { 'If-Match': etag })),
    );
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412, 412]);
  });
});

describe('422', () => {
  test('validation_failed at the path of each wrong value', async () => {
    const client = await app.actor();
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: '   ' }, '/name too_short'],
      [{ name: 'a\0b' }, '/name invalid_characters'],
      [{ name: '\ud800' }, '/name invalid_characters'],
      [{ name: 'x'.repeat(201) }, '/name too_long'],
      [{ name: null }, '/name invalid_type'],
      [{ corporate_number: '8000012050002' }, '/corporate_number check_digit'],
      [{ corporate_number: '700001205000' }, '/corporate_number invalid_format'],
      [{ invoice_registration_number: '7000012050002' }, '/invoice_registration_number invalid_format'],
      [{ domain: 'no domain' }, '/domain invalid_format'],
      [{ website: 'javascript:alert(1)' }, '/website invalid_format'],
      [{ email: 'a@' }, '/email invalid_format'],
      [{ email: `${'a'.repeat(250)}@b.jp` }, '/email too_long'],
      [{ postal_code: '1000001' }, '/postal_code invalid_format'],
      [{ fiscal_month: 13 }, '/fiscal_month too_large'],
      [{ employee_count: -1 }, '/employee_count too_small'],
      [{ capital: 0.5 }, '/capital invalid_type'],
      [{ honorific: '殿' }, '/honorific invalid_value'],
      [{ honorific: null }, '/honorific invalid_value'],
      [
        { payment_terms: { closing_day: 29, months_later: 1, pay_day: 1 } },
        '/payment_terms/closing_day too_large',
      ],
      [{ parent_id: 'cont_01kaj2n5w5fq8b4m0g3v7x9rtc' }, '/parent_id invalid_id'],
      [{ nickname: 'x' }, '/nickname unknown_field'],
      [{ open_amount: 1 }, '/open_amount unknown_field'],
      [{ custom_fields: { rank: 'A' } }, '/custom_fields/rank unknown_field'],
      [{ custom_fields: [] }, '/custom_fields invalid_type'],
    ];
    const { id } = await make(client, { name: 'A' });
    for (const [fields, expected] of wrong) {
      const created = await client.post('/crm/companies', { name: 'A', ...fields });
      assert.equal(created.status, 422, `${expected}: ${created.text}`);
      assert.equal(created.body.code, 'validation_failed');
      assert.deepEqual(faultsIn(created.body), [expected]);
      const changed = await client.patch(`/crm/companies/${id}`, fields);
      assert.deepEqual(faultsIn(changed.body), [expected]);
    }
    assert.deepEqual(faultsIn((await client.post('/crm/companies', {})).body), ['/name required']);
  });

  test('unknown_reference at the path of an ID that is not there or of another organization', async () => {
    const client = await app.actor();
    const stranger = await app.actor();
    const foreign = await make(stranger, { name: 'A' });
    const { id } = await make(client, { name: 'A' });
    for (const fields of [
      { parent_id: foreign.id },
      { parent_id: newId('comp', new Date()) },
      { owner_id: stranger.actor.user_id },
    ]) {
      for (const reply of [
        await client.post('/crm/companies', { name: 'B', ...fields }),
        await client.patch(`/crm/companies/${id}`, fields),
      ]) {
        assert.equal(reply.status, 422, reply.text);
        assert.equal(reply.body.code, 'unknown_reference');
        assert.deepEqual(faultsIn(reply.body), [`/${Object.keys(fields)[0]} unknown_reference`]);
      }
    }
  });

  test('unknown_reference for a member who has left', async () => {
    const client = await app.actor();
    const other = await app.actor({ organization_id: client.actor.organization_id });
    await app.database.withConnection('*', ({ query }) =>
      query('UPDATE members SET left_at = now() WHERE user_id = $1', [other.actor.user_id]),
    );
    const reply = await client.post('/crm/companies', { name: 'B', owner_id: other.actor.user_id });
    assert.equal(reply.body.code, 'unknown_reference');
  });
});
