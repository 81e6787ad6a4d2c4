import { type Case, formOf, optionsOf, text, when } from './case.ts';
import { visit } from './visit.ts';

const matrix = { type: 'matrix', rows: optionsOf('r', 's'), columns: optionsOf('x', 'y') };

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
    name: 'rows without an answer are told beside one with a fault',
    schema: formOf([{ id: 'a', label: 'A', ...matrix, required: true }]),
    data: { a: { r: 'z' } },
    expected: { errors: ['/data/a/r unknown_option', '/data/a/s required'] },
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

/** Faults, pages, what is needed, endings, scores. */
export const pathCases: Case[] = [...faultCases, ...pageCases, ...neededCases, ...visitCases];
