import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../shared/kernel/id.ts';
import { startApp } from '../../support/app.ts';
import { newSeller } from '../../support/documents.ts';
import { faultsIn } from '../../support/facts.ts';

const app = await startApp();

const invoiceIds = (count: number) => Array.from({ length: count }, () => newId('inv', new Date()));

describe('POST /invoices/batch', () => {
  const wrong: [string, object, string[]][] = [
    ['neither ids nor filter', { action: 'approve' }, ['/ids required']],
    ['both', { action: 'approve', ids: invoiceIds(1), filter: { status: 'draft' } }, ['/filter conflict']],
    ['no ids', { action: 'approve', ids: [] }, ['/ids too_small']],
    ['more than 1,000', { action: 'approve', ids: invoiceIds(1_001) }, ['/ids too_large']],
    ['an ID of another kind', { action: 'approve', ids: [newId('quo', new Date())] }, ['/ids/0 invalid_id']],
    ['an empty filter', { action: 'approve', filter: {} }, ['/filter required']],
    [
      'a mistyped filter',
      { action: 'approve', filter: { statuss: 'draft' } },
      ['/filter/statuss unknown_field'],
    ],
    ['an unknown action', { action: 'explode', ids: invoiceIds(1) }, ['/action invalid_value']],
    ['an action without what it needs', { action: 'cancel', ids: invoiceIds(1) }, ['/reason required']],
    [
      'what another action takes',
      { action: 'approve', ids: invoiceIds(1), reason: '誤り' },
      ['/reason unknown_field'],
    ],
  ];
  for (const [name, body, faults] of wrong) {
    test(`refuses ${name}`, async () => {
      const seller = await newSeller(app);
      const reply = await seller.post('/invoices/batch', body);
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(faultsIn(reply.body), faults);
    });
  }

  test('refuses an ID that is named twice', async () => {
    const seller = await newSeller(app);
    const [id] = invoiceIds(1);
    const reply = await seller.post('/invoices/batch', { action: 'approve', ids: [id, id] });
    assert.deepEqual(faultsIn(reply.body), ['/ids duplicate']);
  });

  test("asks for the action's scope, and for the list's where it filters", async () => {
    const approver = await app.actor({ scopes: ['approvals:write'] });
    const ids = invoiceIds(1);
    const allowed = await approver.post('/invoices/batch', { action: 'approve', ids });
    assert.equal(allowed.status, 202, allowed.text);
    const other = await approver.post('/invoices/batch', { action: 'send', ids });
    assert.deepEqual(
      [other.status, other.body.code, other.body.required_scope],
      [403, 'insufficient_scope', 'invoicing:write'],
    );
    const blind = await approver.post('/invoices/batch', { action: 'approve', filter: { status: 'draft' } });
    assert.deepEqual([blind.status, blind.body.required_scope], [403, 'invoicing:read']);
  });

  test('answers one job for one Idempotency-Key', async () => {
    const seller = await newSeller(app);
    const body = { action: 'approve', ids: invoiceIds(2) };
    const headers = { 'Idempotency-Key': 'month-end' };
    const first = await seller.post('/invoices/batch', body, headers);
    const second = await seller.post('/invoices/batch', body, headers);
    assert.deepEqual([first.status, second.status], [202, 202], second.text);
    assert.equal(second.body.job.id, first.body.job.id);
    assert.deepEqual(first.body.job.progress, { done: 0, total: 2, unit: 'records' });
  });
});
