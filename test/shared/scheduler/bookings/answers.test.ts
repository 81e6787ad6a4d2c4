import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../../../shared/kernel/failure.ts';
import { checkedAnswers } from '../../../../shared/scheduler/bookings/answers.ts';
import type { Answers } from '../../../../shared/scheduler/bookings/record.ts';
import type { Question } from '../../../../shared/scheduler/event-types/questions.ts';

const question = (type: Question['type'], fields: Partial<Question> = {}): Question => ({
  id: 'q',
  label: '質問',
  type,
  required: false,
  options: type.endsWith('choice') ? ['A', 'B'] : [],
  ...fields,
});

/** The codes of the faults by their paths; empty where the answers are taken. */
function faults(questions: readonly Question[], answers: Answers): Record<string, string> {
  try {
    checkedAnswers(questions, answers);
    return {};
  } catch (error) {
    assert.ok(error instanceof Failure);
    return Object.fromEntries(error.details.errors!.map(({ path, code }) => [path, code]));
  }
}

describe('an answer', () => {
  const cases: [type: Question['type'], value: Answers[string], code: string | null][] = [
    ['short_text', 'a'.repeat(500), null],
    ['short_text', 'a'.repeat(501), 'too_long'],
    ['long_text', 'a'.repeat(5_000), null],
    ['long_text', 'a'.repeat(5_001), 'too_long'],
    ['short_text', 5, 'invalid_type'],
    ['short_text', '\u202e田山', 'invalid_characters'],
    ['long_text', '\u202e田山', null],
    ['short_text', '\u05d3\u05d5\u05d3 \u200f(3)', null],
    ['phone', '\u2068090-1234-5678\u2069', 'invalid_characters'],
    ['phone', '+81 90 1234 5678', null],
    ['email', 'a@example.com', null],
    ['email', 'a@', 'invalid_format'],
    ['date', '2027-02-28', null],
    ['date', '2027-02-30', 'invalid_format'],
    ['number', 1.5, null],
    ['number', '1.5', 'invalid_type'],
    ['yes_no', false, null],
    ['yes_no', 'no', 'invalid_type'],
    ['single_choice', 'A', null],
    ['single_choice', 'C', 'invalid_value'],
    ['single_choice', ['A'], 'invalid_value'],
    ['multi_choice', ['A', 'B'], null],
    ['multi_choice', ['A', 'A'], 'invalid_value'],
    ['multi_choice', 'A', 'invalid_type'],
  ];

  for (const [type, value, code] of cases) {
    test(`${type} ${JSON.stringify(value).slice(0, 30)}: ${code ?? 'is taken'}`, () => {
      assert.deepEqual(faults([question(type)], { q: value }), code ? { '/answers/q': code } : {});
    });
  }

  test('is asked for where it is required, and left out where it is empty', () => {
    for (const [type, empty] of [
      ['short_text', ' '],
      ['multi_choice', []],
    ] as const) {
      const answers = { q: empty } as Answers;
      assert.deepEqual(faults([question(type, { required: true })], answers), { '/answers/q': 'required' });
      assert.deepEqual(checkedAnswers([question(type)], answers), {});
    }
    assert.deepEqual(faults([question('date', { required: true })], {}), { '/answers/q': 'required' });
  });

  test('of no question is refused', () => {
    assert.deepEqual(faults([], { other: 'x' }), { '/answers/other': 'unknown_field' });
  });
});
