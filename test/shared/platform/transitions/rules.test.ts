import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { rulesOf } from '../../../../shared/platform/transitions/rules.ts';
import type { Asking, Standing, TransitionTable } from '../../../../shared/platform/transitions/table.ts';
import { codeOf, doubledWays, requireAgreement, unreachedStatuses } from '../../../support/transitions.ts';

const kinds = {
  order: { title: { en: 'order', ja: '注文' }, statuses: ['pending', 'approved', 'fulfilled', 'rejected'] },
} as const;

type Actions = 'approve' | 'fulfill' | 'reject' | 'reopen' | 'delete';

type Order = Standing<typeof kinds> & { is_own: boolean; retained_until: string | null };

type Call = { force: boolean };

const table: TransitionTable<typeof kinds, Actions, 'of_others' | 'not_kept', 'forced', Order, Asking, Call> =
  {
    kinds,
    actions: ['approve', 'fulfill', 'reject', 'reopen', 'delete'],
    needs: {
      of_others: {
        text: { en: 'of somebody else', ja: 'ほかの人の' },
        code: 'in_use',
        holds: ({ is_own }) => !is_own,
      },
      not_kept: {
        text: { en: 'that is not kept', ja: '保存期間が過ぎた' },
        code: 'frozen',
        holds: ({ retained_until }) => retained_until === null,
        reason: ({ retained_until }) => ({
          sentence: { en: `It is kept until ${retained_until}`, ja: `${retained_until} まで保存します` },
          members: { retained_until },
        }),
      },
    },
    call_needs: {
      forced: {
        text: { en: 'with `force`', ja: '`force` がある' },
        code: 'expired',
        refuse: (_, { force }) =>
          force ? null : new Failure('expired', { detail: { en: 'Too late', ja: '遅すぎます' } }),
      },
    },
    rows: [
      way('approve', ['pending'], 'approved', {
        scopes: ['approvals:write'],
        needs: ['of_others'],
        call_needs: ['forced'],
      }),
      way('fulfill', ['approved'], 'fulfilled'),
      way('reject', ['pending', 'approved'], 'rejected', { barred: { fulfilled: 'in_use' } }),
      way('reopen', ['rejected'], 'pending'),
      way('delete', ['pending', 'rejected'], 'gone', { needs: ['not_kept'] }),
    ],
  };

type Way = (typeof table)['rows'][number];

function way(action: Actions, from: Way['from'], to: Way['to'], more: Partial<Way> = {}): Way {
  return { kind: 'order', action, from, to, scopes: ['received:write'], effect: null, ...more };
}

const rules = rulesOf(table);
const all: Asking = { grants: ['*'] };
const order = (status: string, more: Partial<Order> = {}): Order => {
  return { kind: 'order', status, is_own: false, retained_until: null, ...more };
};

function refusalOf(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof Failure);
    return error;
  }
  throw new Error('nothing was refused');
}

describe('a table of transitions', () => {
  test('lets an action through from its statuses alone', () => {
    assert.equal(rules.require(order('approved'), 'fulfill', all).to, 'fulfilled');
    const failure = refusalOf(() => rules.require(order('pending'), 'fulfill', all));
    assert.equal(failure.code, 'invalid_transition');
    assert.match(failure.message, /^fulfill is not for an order that is pending; now it takes approve, /);
    assert.deepEqual(failure.details.members, {
      current_status: 'pending',
      available_actions: ['approve', 'reject', 'delete'],
    });
  });

  test('refuses a barred status with its own code', () => {
    assert.equal(
      codeOf(() => rules.require(order('fulfilled'), 'reject', all)),
      'in_use',
    );
  });

  test('refuses what a condition is against, with its reason and its facts', () => {
    const kept = order('rejected', { retained_until: '2037-05-31' });
    const failure = refusalOf(() => rules.require(kept, 'delete', all));
    assert.equal(failure.code, 'frozen');
    assert.match(failure.message, /^It is kept until 2037-05-31; now it takes reopen$/);
    assert.deepEqual(failure.details.members, {
      current_status: 'rejected',
      available_actions: ['reopen'],
      retained_until: '2037-05-31',
    });
  });

  test('asks for the scopes of the row after its conditions', () => {
    const writer: Asking = { grants: ['received:write'] };
    const own = order('pending', { is_own: true });
    assert.equal(
      codeOf(() => rules.require(own, 'approve', writer)),
      'in_use',
    );
    assert.equal(
      codeOf(() => rules.require(order('pending'), 'approve', writer)),
      'insufficient_scope',
    );
    assert.deepEqual(rules.available(order('pending'), writer), ['reject', 'delete']);
  });

  test('asks a condition of the call last, and lists its action either way', () => {
    assert.equal(
      codeOf(() => rules.require(order('pending'), 'approve', all, { force: false })),
      'expired',
    );
    assert.equal(
      codeOf(() => rules.require(order('pending'), 'approve', all, { force: true })),
      'allowed',
    );
    assert.ok(rules.available(order('pending'), all).includes('approve'));
  });

  test('names the codes of an action, each once', () => {
    assert.deepEqual(rules.codes('order', 'approve'), ['invalid_transition', 'in_use', 'expired']);
    assert.deepEqual(rules.codes('order', 'fulfill'), ['invalid_transition']);
  });

  test('agrees with itself', () => {
    assert.deepEqual(doubledWays(table), []);
    assert.deepEqual(unreachedStatuses(table), []);
    requireAgreement(table, {
      askings: [all, { grants: null }, { grants: ['received:write'] }, { grants: ['approvals:write'] }],
      standings: (_, status) => [
        order(status),
        order(status, { is_own: true, retained_until: '2037-05-31' }),
      ],
    });
  });
});
