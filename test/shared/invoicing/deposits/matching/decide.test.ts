import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide } from '../../../../../shared/invoicing/deposits/matching/decide.ts';
import type { Suggestion } from '../../../../../shared/invoicing/deposits/suggestions/suggest.ts';

const suggestion = (score: number, fee_amount = 0): Suggestion => ({
  company_id: 'comp_1',
  company_name: '青空商店',
  allocations: [{ invoice_id: 'inv_1', number: null, amount: 1 }],
  fee_amount,
  score,
  reasons: [],
});

test('a deposit is matched where one suggestion alone is likely enough, and its fee is allowed', () => {
  for (const [suggestions, with_fee, outcome] of [
    [[], false, 'no_match'],
    [[suggestion(89)], false, 'no_match'],
    [[suggestion(90)], false, 'match'],
    [[suggestion(98), suggestion(89)], false, 'match'],
    [[suggestion(98), suggestion(90)], false, 'ambiguous_match'],
    [[suggestion(90, 440)], false, 'match_with_fee'],
    [[suggestion(90, 440)], true, 'match'],
    [[suggestion(98, 440), suggestion(90)], true, 'ambiguous_match'],
    [[suggestion(90), suggestion(98, 440)], false, 'match'],
    [[suggestion(98, 440), suggestion(90, 550)], false, 'ambiguous_match'],
  ] as const) {
    const decided = decide(suggestions, { least_score: 90, with_fee });
    assert.equal(decided.outcome, outcome);
    assert.equal(decided.suggestion, outcome === 'match' ? suggestions[0] : null);
  }
});

test('what pays the invoices due first because no amount fits is no match, whatever score is asked for', () => {
  const oldest: Suggestion = { ...suggestion(63), reasons: ['name', 'oldest_first', 'due_near'] };
  for (const [suggestions, outcome] of [
    [[oldest], 'no_match'],
    [[suggestion(75), oldest], 'match'],
  ] as const) {
    assert.equal(decide(suggestions, { least_score: 60, with_fee: false }).outcome, outcome);
  }
});
