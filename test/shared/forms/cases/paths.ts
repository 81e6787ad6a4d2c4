import { type Case, formOf, optionsOf } from './case.ts';
import { visit } from './visit.ts';

type Condition = Record<string, unknown>;

const text = (id: string, more: object = {}) => ({ id, type: 'short_text', label: id, ...more });
const when = (field: string, op: string, value?: unknown): Condition =>
  value === undefined ? { field, op } : { field, op, value };

/** A field `a` of that kind, and `b` that is shown if the condition holds. */
function asks(a: object, show_if: Condition, answer: unknown, isShown: boolean): Case {
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

const conditionCases: Case[] = [
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

/** An answer with a fault counts as unanswered, and one that is not shown does too. */
const faultCases: Case[] = [
  {
    name: 'an answer with a fault counts as unanswered',
    schema: formOf([
      { id: 'a', type: 'number', label: 'A', max: 5 },
      text('b', { show_if: when('a', 'answered') }),
    ]),
    data: { a: 6, b: 'x' },
    expected: { errors: ['/data/a out_of_range'], visible: ['a'], dropped: ['b'], data: {} },
  },
  {
    name: 'what is not shown counts as unanswered, in a chain',
    schema: formOf([
      text('a'),
      text('b', { show_if: when('a', 'answered') }),
      text('c', { show_if: when('b', 'answered') }),
    ]),
    data: { b: 'x', c: 'y' },
    expected: { visible: ['a'], dropped: ['b', 'c'], data: {} },
  },
  {
    name: 'required with a fault is told once',
    schema: formOf([{ id: 'a', type: 'email', label: 'A', required: true }]),
    data: { a: 'x' },
    expected: { errors: ['/data/a invalid_format'] },
  },
  {
    name: 'required and not there',
    schema: formOf([text('a', { required: true }), text('b', { required: true })]),
    data: { b: '' },
    expected: { errors: ['/data/a required', '/data/b required'] },
  },
  {
    name: 'a required consent that is refused',
    schema: formOf([{ id: 'a', type: 'consent', label: 'A', text: 'T', required: true }]),
    data: { a: false },
    expected: { errors: ['/data/a required'], data: {} },
  },
  {
    name: 'a required yes or no that is no',
    schema: formOf([{ id: 'a', type: 'yes_no', label: 'A', required: true }]),
    data: { a: false },
    expected: { errors: [], data: { a: false } },
  },
  {
    name: 'a required matrix needs every row',
    schema: formOf([{ id: 'a', label: 'A', ...matrix, required: true }]),
    data: { a: { s: 'x' } },
    expected: { errors: ['/data/a/r required'] },
  },
  {
    name: 'a required matrix without any row',
    schema: formOf([{ id: 'a', label: 'A', ...matrix, required: true }]),
    data: {},
    expected: { errors: ['/data/a required'] },
  },
  {
    name: 'unknown names come first; statements and pages are none',
    schema: formOf([{ id: 'a', type: 'statement', label: 'A', text: 'T' }, text('b', { required: true })]),
    data: { z: 1, a: 'x', page_1: 'x' },
    expected: {
      errors: [
        '/data/z unknown_field',
        '/data/a unknown_field',
        '/data/page_1 unknown_field',
        '/data/b required',
      ],
      visible: ['a', 'b'],
    },
  },
  {
    name: 'names with slashes and tildes are escaped',
    schema: formOf([text('a')]),
    data: { 'x/y~z': 1 },
    expected: { errors: ['/data/x~1y~0z unknown_field'] },
  },
];

const paged = {
  version: 1,
  locale: 'en',
  hidden: ['source', 'campaign'],
  pages: [
    {
      id: 'one',
      fields: [text('a')],
      next: [
        { if: when('a', 'equals', 'end'), to: 'end:early' },
        { if: when('a', 'equals', 'skip'), to: 'three' },
      ],
    },
    {
      id: 'two',
      show_if: when('source', 'equals', 'ad'),
      fields: [text('b', { required: true })],
      next: [{ to: 'end:late' }],
    },
    { id: 'three', fields: [text('c')] },
  ],
  endings: [
    { id: 'early', title: 'Early', if: when('c', 'equals', 'never') },
    { id: 'late', title: 'Late', if: when('c', 'equals', 'late') },
    { id: 'other', title: 'Other' },
  ],
  scores: [
    {
      name: 'points',
      initial: '0.1',
      add: [
        { if: when('a', 'answered'), value: '0.2' },
        { if: when('b', 'answered'), value: -1 },
        { if: when('campaign', 'contains', 'x'), value: '100' },
      ],
    },
  ],
};

const on = (name: string, data: Case['data'], hidden: Case['hidden'], expected: Case['expected']): Case => ({
  name: `pages: ${name}`,
  schema: paged,
  data,
  hidden,
  expected,
});

const pageCases: Case[] = [
  on(
    'a page that is not shown leads to the one after it, its rules unread',
    { c: 'z' },
    {},
    {
      path: ['one', 'three'],
      visible: ['a', 'c'],
      ending: 'other',
      scores: { points: '0.1' },
      data: { c: 'z' },
    },
  ),
  on(
    'a hidden value shows a page, whose rule ends the form',
    { b: 'x', c: 'z' },
    { source: 'ad' },
    {
      path: ['one', 'two'],
      dropped: ['c'],
      ending: 'late',
      scores: { points: '-0.9' },
      hidden: { source: 'ad' },
    },
  ),
  on(
    'a rule ends the form at once',
    { a: 'end', b: 'x', c: 'y' },
    { source: 'ad' },
    {
      path: ['one'],
      dropped: ['b', 'c'],
      ending: 'early',
      scores: { points: '0.3' },
      data: { a: 'end' },
    },
  ),
  on(
    'a rule skips a page',
    { a: 'skip', c: 'late' },
    { source: 'ad' },
    {
      path: ['one', 'three'],
      ending: 'late',
      errors: [],
      data: { a: 'skip', c: 'late' },
    },
  ),
  on(
    'a shown page asks for what it needs',
    {},
    { source: 'ad' },
    { errors: ['/data/b required'], ending: 'late' },
  ),
  on(
    'hidden values are trimmed, and blank ones none',
    {},
    { source: ' ad ', campaign: ' ' },
    {
      hidden: { source: 'ad' },
      errors: ['/data/b required'],
    },
  ),
  on(
    'hidden values have rules of their own',
    {},
    { source: 5, campaign: 'x'.repeat(256), other: 'x' },
    {
      errors: ['/hidden/other unknown_field', '/hidden/source wrong_type', '/hidden/campaign too_long'],
      hidden: {},
    },
  ),
  on('hidden values count for scores', { a: 'b' }, { campaign: 'aXb' }, { scores: { points: '100.3' } }),
];

const conditional = formOf([
  { id: 'seats', type: 'number', label: 'S' },
  text('budget', { required_if: when('seats', 'gte', 100) }),
]);

const neededCases: Case[] = [
  {
    name: 'needed from 100',
    schema: conditional,
    data: { seats: '100' },
    expected: { errors: ['/data/budget required'] },
  },
  { name: 'not needed below', schema: conditional, data: { seats: '99' }, expected: { errors: [] } },
  { name: 'not needed unanswered', schema: conditional, data: {}, expected: { errors: [] } },
  {
    name: 'not needed where seats are wrong',
    schema: conditional,
    data: { seats: 'x' },
    expected: { errors: ['/data/seats invalid_format'] },
  },
];

const visitCases: Case[] = [
  {
    name: 'visit 1',
    schema: visit,
    data: { kind: 'new', seats: '１２' },
    expected: { data: { kind: 'new', seats: '12' }, path: ['visit', 'plan'] },
  },
  {
    name: 'visit 2',
    schema: visit,
    data: { kind: 'new', model: 'X-1', since: '2026-04-31', seats: 3 },
    expected: { data: { kind: 'new', seats: '3' }, dropped: ['model', 'since'], errors: [] },
  },
  {
    name: 'visit 3',
    schema: visit,
    data: { kind: 'repair', seats: 5 },
    expected: { errors: ['/data/model required', '/data/since required'] },
  },
  {
    name: 'visit 4',
    schema: visit,
    data: { kind: 'new', seats: 100 },
    expected: { errors: ['/data/budget required'] },
  },
  {
    name: 'visit 5',
    schema: visit,
    data: { kind: '新規', seats: 501 },
    expected: { errors: ['/data/kind unknown_option', '/data/since required', '/data/seats out_of_range'] },
  },
];

/** Conditions, pages, what is needed, endings, scores. */
export const pathCases: Case[] = [
  ...conditionCases,
  ...faultCases,
  ...pageCases,
  ...neededCases,
  ...visitCases,
];
