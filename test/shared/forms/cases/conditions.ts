import { type Case, formOf, optionsOf, text, when } from './case.ts';

/** A field `a` of that kind, and `b` that is shown if the condition holds. */
function asks(a: object, show_if: object, answer: unknown, isShown: boolean): Case {
  return {
    name: `${JSON.stringify(show_if)} of ${JSON.stringify(answer)}`,
    schema: formOf([{ id: 'a', label: 'A', ...a }, text('b', { show_if })]),
    data: { a: answer, b: 'x' },
    expected: { visible: isShown ? ['a', 'b'] : ['a'], dropped: isShown ? [] : ['b'], errors: [] },
  };
}

const choice = { type: 'choice', options: optionsOf('p', 'q', 'r'), allow_other: true };
const many = { type: 'multi_choice', options: optionsOf('p', 'q', 'r') };
const number = { type: 'number', decimals: 2 };
const matrix = { type: 'matrix', rows: optionsOf('r', 's'), columns: optionsOf('x', 'y') };

/** Each operator with each kind of field, and how conditions are joined. */
export const conditionCases: Case[] = [
  asks({ type: 'short_text' }, when('a', 'answered'), 'x', true),
  asks({ type: 'short_text' }, when('a', 'answered'), ' ', false),
  asks({ type: 'short_text' }, when('a', 'not_answered'), null, true),
  asks({ type: 'short_text' }, when('a', 'equals', 'x'), ' x ', true),
  asks({ type: 'short_text' }, when('a', 'equals', 'x'), 'X', false),
  asks({ type: 'short_text' }, when('a', 'not_equals', 'x'), null, true),
  asks({ type: 'short_text' }, when('a', 'contains', 'ＡＢ'), 'xabx', true),
  asks({ type: 'short_text' }, when('a', 'contains', 'ab'), 'ＡＢ', true),
  asks({ type: 'short_text' }, when('a', 'contains', 'ab'), null, false),
  asks(choice, when('a', 'equals', 'p'), 'p', true),
  asks(choice, when('a', 'equals', 'p'), { other: 'p' }, false),
  asks(choice, when('a', 'not_equals', 'p'), { other: 'p' }, true),
  asks(choice, when('a', 'any_of', ['p', 'q']), 'q', true),
  asks(choice, when('a', 'any_of', ['p', 'q']), null, false),
  asks(choice, when('a', 'none_of', ['p', 'q']), 'r', true),
  asks(choice, when('a', 'none_of', ['p', 'q']), null, true),
  asks(choice, when('a', 'none_of', ['p', 'q']), 'p', false),
  asks(many, when('a', 'contains', 'q'), ['q', 'p'], true),
  asks(many, when('a', 'any_of', ['q', 'r']), ['p'], false),
  asks(many, when('a', 'none_of', ['q', 'r']), ['p'], true),
  asks(number, when('a', 'equals', '1.50'), '1.5', true),
  asks(number, when('a', 'gt', 9), '10', true),
  asks(number, when('a', 'gt', '-10'), '-9.99', true),
  asks(number, when('a', 'gte', '1.5'), 1.5, true),
  asks(number, when('a', 'lt', '0'), '-0', false),
  asks(number, when('a', 'lte', 0), '-0.01', true),
  asks(number, when('a', 'lt', 5), null, false),
  asks({ type: 'date' }, when('a', 'lt', '2026-10-01'), '2026-09-30', true),
  asks({ type: 'time' }, when('a', 'gte', '12:00'), '11:59', false),
  asks({ type: 'nps' }, when('a', 'lte', 6), 6, true),
  asks({ type: 'rating' }, when('a', 'gt', 3), 3, false),
  asks({ type: 'yes_no' }, when('a', 'equals', false), false, true),
  asks({ type: 'yes_no' }, when('a', 'equals', false), null, false),
  asks({ type: 'consent', text: 'T' }, when('a', 'answered'), false, false),
  asks(matrix, when('a.r', 'equals', 'x'), { r: 'x' }, true),
  asks(matrix, when('a.s', 'answered'), { r: 'x' }, false),
  asks(matrix, when('a.s', 'none_of', ['x']), null, true),
  asks({ ...matrix, multiple: true }, when('a.r', 'contains', 'y'), { r: ['x', 'y'] }, true),
  asks({ type: 'name' }, when('a', 'answered'), { last_name: 'a', first_name: 'b' }, true),
  asks(number, { all: [] }, null, true),
  asks(number, { any: [] }, null, false),
  asks(number, { not: when('a', 'answered') }, null, true),
  asks(number, { all: [when('a', 'gt', 1), when('a', 'lt', 3)] }, 2, true),
  asks(number, { all: [when('a', 'gt', 1), when('a', 'lt', 3)] }, 3, false),
  asks(number, { any: [when('a', 'gt', 5), { not: when('a', 'gt', 1) }] }, 1, true),
];
