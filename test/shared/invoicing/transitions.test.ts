import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentTransitions, requireTransition } from '../../../shared/invoicing/transitions/allowed.ts';
import type { Asking, Standing } from '../../../shared/invoicing/transitions/conditions.ts';
import { codeOf, doubledWays, requireAgreement, unreachedStatuses } from '../../support/transitions.ts';

const anybody: Asking = { grants: null, approval_required: true };

function standing(kind: Standing['kind'], status: string, more: Partial<Standing> = {}): Standing {
  return {
    kind,
    status,
    due_date: null,
    converted_to: [],
    has_open_quantity: true,
    open_revision_id: null,
    replaced_has: null,
    amount_due: 100n,
    credited: 0n,
    balance: 100n,
    ...more,
  };
}

describe('the table of transitions', () => {
  it('has no two ways for an action from one status', () => {
    assert.deepEqual(
      doubledWays(documentTransitions, ({ needs = [] }) => `${needs.includes('no_approval_required')}`),
      [],
    );
  });

  it('leads to every status of every kind but the first', () => {
    assert.deepEqual(unreachedStatuses(documentTransitions, ['partially_paid', 'paid']), []);
  });
});

describe('what may be done', () => {
  it('is what requireTransition lets through, for every document and everybody', () => {
    const askings: Asking[] = [
      anybody,
      { grants: null, approval_required: false },
      { grants: ['invoicing:read'], approval_required: false },
      { grants: ['invoicing:write'], approval_required: false },
      { grants: ['approvals:write'], approval_required: true },
      { grants: ['*'], approval_required: false },
    ];
    const variants: Partial<Standing>[] = [
      {},
      { converted_to: [{ type: 'invoice', id: 'inv_1' }], has_open_quantity: false },
      { open_revision_id: 'inv_2' },
      { replaced_has: 'payments' },
      { replaced_has: 'credit_notes' },
      { credited: 40n, balance: 60n },
      { credited: 100n, balance: 0n },
    ];
    requireAgreement(documentTransitions, {
      askings,
      standings: (kind, status) => variants.map((more) => standing(kind, status, more)),
    });
  });

  it('a refusal has the code that says most', () => {
    const table: [Standing, Parameters<typeof requireTransition>[1], string][] = [
      [standing('quotation', 'draft'), 'accept', 'invalid_transition'],
      [
        standing('quotation', 'accepted', { converted_to: [{ type: 'invoice', id: 'inv_1' }] }),
        'convert',
        'already_converted',
      ],
      [standing('delivery_note', 'delivered', { has_open_quantity: false }), 'convert', 'invalid_transition'],
      [standing('invoice', 'approved', { open_revision_id: 'inv_2' }), 'revise', 'already_revised'],
      [standing('invoice', 'approved', { credited: 40n }), 'revise', 'has_credit_notes'],
      [standing('invoice', 'sent', { credited: 40n }), 'cancel', 'has_credit_notes'],
      [standing('invoice', 'partially_paid'), 'cancel', 'has_payments'],
      [standing('invoice', 'paid'), 'cancel', 'has_payments'],
      [standing('invoice', 'paid'), 'revise', 'invalid_transition'],
      [standing('invoice', 'sent', { balance: 0n }), 'mark-paid', 'overpayment'],
      [standing('invoice', 'sent', { credited: 100n }), 'credit-notes', 'over_credit'],
      [standing('invoice', 'draft'), 'send', 'invalid_transition'],
      [standing('invoice', 'draft', { replaced_has: 'payments' }), 'approve', 'has_payments'],
      [standing('invoice', 'draft', { replaced_has: 'credit_notes' }), 'approve', 'has_credit_notes'],
    ];
    for (const [document, action, code] of table) {
      assert.equal(
        codeOf(() => requireTransition(document, action, anybody)),
        code,
        `${document.status} ${action}`,
      );
    }
  });
});
