import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { documentKinds, kinds } from '../../../shared/invoicing/documents/kinds.ts';
import {
  type Asking,
  actionsFor,
  requireTransition,
  type Standing,
} from '../../../shared/invoicing/transitions/allowed.ts';
import { documentActions, transitions } from '../../../shared/invoicing/transitions/table.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

const anybody: Asking = { grants: null, approval_required: true };

function standing(kind: Standing['kind'], status: string, more: Partial<Standing> = {}): Standing {
  return {
    kind,
    status,
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

function codeOf(run: () => unknown): string {
  try {
    run();
    return 'allowed';
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error.code;
  }
}

describe('the table of transitions', () => {
  it('has no two ways for an action from one status', () => {
    const ways = transitions.flatMap(({ kind, action, from, needs = [] }) =>
      from.map((status) => `${kind} ${action} ${status} ${needs.includes('no_approval_required')}`),
    );
    assert.equal(new Set(ways).size, ways.length);
  });

  it('leads to every status of every kind but the first', () => {
    for (const kind of documentKinds) {
      const [first, ...others] = kinds[kind].statuses;
      const reached = new Set<string>(transitions.filter((one) => one.kind === kind).map(({ to }) => to));
      const missing = others.filter(
        (status) => !reached.has(status) && !['partially_paid', 'paid'].includes(status),
      );
      assert.deepEqual(missing, [], `${kind} from ${first}`);
    }
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
    for (const kind of documentKinds) {
      for (const status of kinds[kind].statuses) {
        for (const more of variants) {
          for (const asking of askings) {
            const document = standing(kind, status, more);
            const allowed = documentActions.filter(
              (action) => codeOf(() => requireTransition(document, action, asking)) === 'allowed',
            );
            assert.deepEqual(actionsFor(document, asking), allowed);
          }
        }
      }
    }
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
