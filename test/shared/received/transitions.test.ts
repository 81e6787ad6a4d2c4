import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  actionsFor,
  receivedTransitions,
  requireTransition,
} from '../../../shared/received/transitions/allowed.ts';
import type { Asking, Call, Standing } from '../../../shared/received/transitions/conditions.ts';
import type { ReceivedAction } from '../../../shared/received/transitions/table.ts';
import { codeOf, doubledWays, requireAgreement, unreachedStatuses } from '../../support/transitions.ts';

const anybody: Asking = { grants: null, user_id: 'usr_1', four_eyes: false };

function standing(kind: Standing['kind'], status: string, more: Partial<Standing> = {}): Standing {
  return {
    kind,
    status,
    created_by: 'usr_1',
    due_date: null,
    file_count: 0,
    retention_until: null,
    converted_to: [],
    billed_by: null,
    balance: 100,
    ...more,
  };
}

describe('the table of transitions of received documents', () => {
  it('has no two ways for an action from one status', () => {
    assert.deepEqual(doubledWays(receivedTransitions), []);
  });

  it('leads to every status of every kind but the first', () => {
    assert.deepEqual(unreachedStatuses(receivedTransitions, ['partially_paid', 'paid']), []);
  });
});

describe('what may be done to received documents', () => {
  it('is what requireTransition lets through, for every document and everybody', () => {
    const askings: Asking[] = [
      anybody,
      { ...anybody, four_eyes: true },
      { ...anybody, four_eyes: true, user_id: 'usr_2' },
      { ...anybody, grants: ['received:read'] },
      { ...anybody, grants: ['received:write'] },
      { ...anybody, grants: ['approvals:write'] },
      { ...anybody, grants: ['*'] },
    ];
    const variants: Partial<Standing>[] = [
      {},
      { converted_to: [{ type: 'purchase_order', id: 'po_1' }] },
      { billed_by: 'rinv_1' },
      { file_count: 1, retention_until: '2037-05-31' },
      { balance: 0 },
      { balance: -100 },
    ];
    requireAgreement(receivedTransitions, {
      askings,
      standings: (kind, status) => variants.map((more) => standing(kind, status, more)),
    });
  });

  it('is listed in the order of the actions', () => {
    assert.deepEqual(actionsFor(standing('invoice', 'pending'), anybody), [
      'update',
      'delete',
      'files',
      'approve',
      'reject',
    ]);
    assert.deepEqual(actionsFor(standing('invoice', 'paid'), anybody), ['files', 'delete-payment']);
    assert.deepEqual(actionsFor(standing('purchase_order', 'fulfilled'), anybody), ['files']);
    assert.deepEqual(actionsFor(standing('delivery_note', 'rejected'), anybody), ['delete', 'reopen']);
  });

  it('a refusal has the code that says most', () => {
    const table: [Standing, ReceivedAction, string, Partial<Asking & Call>?][] = [
      [standing('invoice', 'approved'), 'approve', 'invalid_transition'],
      [standing('invoice', 'paid'), 'reopen', 'invalid_transition'],
      [standing('invoice', 'approved'), 'update', 'received_frozen'],
      [standing('delivery_note', 'rejected'), 'update', 'received_frozen'],
      [standing('invoice', 'rejected'), 'files', 'invalid_transition'],
      [standing('invoice', 'pending', { file_count: 1 }), 'delete', 'received_retained'],
      [standing('invoice', 'approved'), 'delete', 'invalid_transition'],
      [standing('invoice', 'approved', { balance: 0 }), 'mark-paid', 'received_overpayment'],
      [standing('invoice', 'approved', { balance: -1 }), 'mark-paid', 'allowed'],
      [standing('delivery_note', 'confirmed', { billed_by: 'rinv_1' }), 'reopen', 'in_use'],
      [
        standing('quotation', 'approved', { converted_to: [{ type: 'purchase_order', id: 'po_1' }] }),
        'reopen',
        'already_converted',
      ],
      [standing('invoice', 'pending'), 'approve', 'own_document', { four_eyes: true }],
      [standing('invoice', 'pending'), 'approve', 'allowed', { four_eyes: true, user_id: 'usr_2' }],
      [standing('quotation', 'pending'), 'approve', 'allowed', { four_eyes: true }],
      [standing('invoice', 'pending'), 'reject', 'allowed', { four_eyes: true }],
      [standing('invoice', 'pending'), 'approve', 'insufficient_scope', { grants: ['received:write'] }],
    ];
    for (const [document, action, code, asking] of table) {
      const found = codeOf(() => requireTransition(document, action, { ...anybody, ...asking }));
      assert.equal(found, code, `${document.kind} ${document.status} ${action}`);
    }
  });

  it('depends on what the call says, match before account', () => {
    const today = '2026-11-26';
    const pending = standing('invoice', 'pending');
    const blocked = { today, is_mismatch: true, other_account_of: 'rinv_1' };
    const quotation = standing('quotation', 'pending', { due_date: '2026-11-25' });
    const table: [Standing, ReceivedAction, Call, string][] = [
      [pending, 'approve', blocked, 'match_failed'],
      [pending, 'approve', { ...blocked, confirm_bank_account: true }, 'match_failed'],
      [pending, 'approve', { ...blocked, override_match: true }, 'bank_account_changed'],
      [pending, 'approve', { ...blocked, override_match: true, confirm_bank_account: true }, 'allowed'],
      [pending, 'approve', { today }, 'allowed'],
      [quotation, 'approve', { today }, 'received_quotation_expired'],
      [quotation, 'approve', { today, force: true }, 'allowed'],
      [{ ...quotation, due_date: today }, 'approve', { today }, 'allowed'],
      [{ ...quotation, due_date: null }, 'approve', { today }, 'allowed'],
      [pending, 'files', { today, supersedes: 'rfile_1' }, 'allowed'],
      [standing('invoice', 'paid'), 'files', { today, supersedes: 'rfile_1' }, 'received_frozen'],
      [standing('invoice', 'paid'), 'files', { today }, 'allowed'],
    ];
    for (const [document, action, call, code] of table) {
      assert.equal(
        codeOf(() => requireTransition(document, action, anybody, call)),
        code,
        JSON.stringify(call),
      );
    }
  });
});
