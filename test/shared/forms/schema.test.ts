import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm } from '../../../shared/forms/answers/compiled.ts';
import { judge } from '../../../shared/forms/answers/judge.ts';
import { jsonSchemaOf } from '../../../shared/forms/schema/json-schema.ts';
import { parseSchema } from '../../../shared/forms/schema/parse.ts';
import { publishFaults } from '../../../shared/forms/schema/publish.ts';
import { type FieldType, fieldTypes, operators } from '../../../shared/forms/schema/words.ts';
import { formOf, optionsOf } from './cases/case.ts';

type Made = Record<string, unknown>;

const text = (id: string, more: object = {}) => ({ id, type: 'short_text', label: id, ...more });
const pages = (...all: object[]): Made => ({ version: 1, locale: 'ja', pages: all });
const page = (id: string, more: object = {}) => ({ id, fields: [text(`of_${id}`)], ...more });
const on = (field: string, op: string, value?: unknown) => ({ field, op, value });

/** Everything that is wrong with a schema: as a working copy, or where nothing is, as a version. */
function faultsOf(schema: unknown, types: Record<string, FieldType> = {}): string[] {
  const parsed = parseSchema(typeof schema === 'string' ? schema : JSON.stringify(schema));
  const faults =
    'faults' in parsed ? parsed.faults : publishFaults(parsed.schema, new Map(Object.entries(types)));
  return faults.map(({ path, code }) => `${path.replace('/schema_json', '')} ${code}`);
}

test('a working copy has the shape of a schema', () => {
  const deep = (levels: number): object => (levels === 1 ? on('a', 'answered') : { not: deep(levels - 1) });
  const shown = (condition: object) => formOf([text('a'), text('b', { show_if: condition })]);
  const table: [schema: unknown, faults: string[]][] = [
    ['{', [' invalid_json']],
    ['[]', [' invalid_type']],
    [`"${'x'.repeat(256 * 1024)}"`, [' too_long']],
    [`${' '.repeat(256 * 1024 - 2)}{}`, ['#/version required', '#/locale required', '#/pages required']],
    [{ ...formOf([text('a')]), more: 1 }, ['#/more unknown_field']],
    [formOf([text('a', { more: 1 })]), ['#/pages/0/fields/0/more unknown_field']],
    [formOf([text('a'), text('a')]), ['#/pages/0/fields/1/id duplicate']],
    [formOf([text('page_1')]), ['#/pages/0/fields/0/id duplicate']],
    [formOf([text('a')], { hidden: ['a'] }), ['#/hidden/0 duplicate']],
    [formOf([text('constructor')]), ['#/pages/0/fields/0/id invalid_value']],
    [formOf([text('A')]), ['#/pages/0/fields/0/id invalid_format']],
    [formOf([text('a', { label: ' ' })]), ['#/pages/0/fields/0/label required']],
    [formOf([text('a', { label: {} })]), ['#/pages/0/fields/0/label required']],
    [formOf([text('a', { label: { fr: 'A' } })]), ['#/pages/0/fields/0/label/fr unknown_field']],
    [formOf([text('a', { type: 'signature' })]), ['#/pages/0/fields/0/type invalid_value']],
    [formOf([text('a', { type: undefined })]), ['#/pages/0/fields/0/type required']],
    [formOf([text('a', { min_length: 5, max_length: 4 })]), ['#/pages/0/fields/0/max_length too_small']],
    [
      formOf([text('a', { type: 'choice', options: optionsOf('x', 'x') })]),
      ['#/pages/0/fields/0/options/1/id duplicate'],
    ],
    [
      formOf([text('a', { type: 'choice', options: optionsOf('x') })]),
      ['#/pages/0/fields/0/options too_small'],
    ],
    [formOf([text('a', { type: 'date', min: 'tomorrow' })]), ['#/pages/0/fields/0/min invalid_format']],
    [formOf([text('a', { type: 'file', default: ['x'] })]), ['#/pages/0/fields/0/default not_allowed']],
    [formOf(Array.from({ length: 201 }, (_, n) => text(`f_${n}`))), ['#/pages/0/fields too_large']],
    [
      formOf([text('a')], { endings: [{ id: 'e', title: 'E', redirect_url: 'javascript:alert(1)' }] }),
      ['#/endings/0/redirect_url invalid_format'],
    ],
    [
      formOf([text('a')], { endings: [{ id: 'e', title: 'E', redirect_url: 'https://a;script-src/x' }] }),
      ['#/endings/0/redirect_url invalid_format'],
    ],
    [shown(deep(6)), []],
    [shown(deep(7)), [`#/pages/0/fields/1/show_if${'/not'.repeat(6)} too_deep`]],
    [shown({ any: Array.from({ length: 501 }, () => on('a', 'answered')) }), [' too_large']],
    [shown({ all: 5 }), ['#/pages/0/fields/1/show_if/all invalid_type']],
    [shown({ any: [{ eq: ['a', 'x'] }] }), ['#/pages/0/fields/1/show_if/any/0 invalid_value']],
    [shown({ op: 'answered' }), ['#/pages/0/fields/1/show_if/field required']],
    [shown(on('a', 'like', 'x')), ['#/pages/0/fields/1/show_if/op invalid_value']],
    [shown(on('a', 'equals')), ['#/pages/0/fields/1/show_if/value required']],
  ];
  for (const [schema, faults] of table)
    deepEqual(faultsOf(schema), faults, JSON.stringify(schema).slice(0, 200));
});

/** What is said of the one thing that is wrong with a schema, in each language. */
function sentencesOf(schema: object): { en: string; ja: string } {
  const parsed = parseSchema(JSON.stringify(schema));
  ok('faults' in parsed);
  equal(parsed.faults.length, 1);
  return parsed.faults[0]!.message;
}

test('where only some words can stand, the fault lists them', () => {
  const shown = (condition: unknown) => formOf([text('a'), text('b', { show_if: condition })]);
  const table: [schema: object, name: string, words: readonly string[]][] = [
    [formOf([text('a', { type: 'signature' })]), 'pages.0.fields.0.type', fieldTypes],
    [formOf([text('a', { type: null })]), 'pages.0.fields.0.type', fieldTypes],
    [formOf([text('a', { type: undefined })]), 'pages.0.fields.0.type', fieldTypes],
    [formOf([text('a')], { locale: 'fr' }), 'locale', ['ja', 'en']],
    [formOf([text('a')], { locale: undefined }), 'locale', ['ja', 'en']],
    [formOf([text('a')], { version: 2 }), 'version', ['1']],
    [shown(on('a', 'like', 'x')), 'pages.0.fields.1.show_if.op', operators],
    [shown({ field: 'a' }), 'pages.0.fields.1.show_if.op', operators],
    [shown({ eq: ['a', 'x'] }), 'pages.0.fields.1.show_if', ['all', 'any', 'not', 'field', 'op', 'value']],
    [shown({}), 'pages.0.fields.1.show_if', ['all', 'any', 'not', 'field', 'op', 'value']],
    [shown('a'), 'pages.0.fields.1.show_if', ['all', 'any', 'not', 'field', 'op', 'value']],
  ];
  for (const [schema, name, words] of table) {
    for (const sentence of Object.values(sentencesOf(schema))) {
      ok(sentence.startsWith(`${name} `), sentence);
      const said: readonly string[] = sentence.slice(name.length).match(/[a-z0-9_]+/g) ?? [];
      deepEqual(
        words.filter((word) => !said.includes(word)),
        [],
        sentence,
      );
    }
  }
});

test('a version asks something, looks back and leads forward', () => {
  const a = { type: 'number' };
  const asks = (condition: object, more: object = a) =>
    formOf([text('a', more), text('b', { show_if: condition })]);
  const table: [schema: unknown, faults: string[]][] = [
    [formOf([]), ['#/pages no_fields']],
    [formOf([{ id: 'a', type: 'statement', label: 'A', text: 'T' }]), ['#/pages no_fields']],
    [formOf([text('a', { show_if: on('a', 'answered') })]), ['#/pages/0/fields/0/show_if/field not_earlier']],
    [
      formOf([text('a', { required_if: { not: on('b', 'answered') } }), text('b')]),
      ['#/pages/0/fields/0/required_if/not/field not_earlier'],
    ],
    [asks(on('c', 'answered')), ['#/pages/0/fields/1/show_if/field unknown_reference']],
    [asks(on('a', 'contains', 'x')), ['#/pages/0/fields/1/show_if/op wrong_operator']],
    [asks(on('a', 'equals', 'x')), ['#/pages/0/fields/1/show_if/value wrong_value']],
    [
      asks(on('a', 'equals', 'z'), { type: 'choice', options: optionsOf('x', 'y') }),
      ['#/pages/0/fields/1/show_if/value wrong_value'],
    ],
    [asks(on('a', 'gt', '5'), { type: 'short_text' }), ['#/pages/0/fields/1/show_if/op wrong_operator']],
    [pages(page('p', { next: [{ to: 'p' }] })), ['#/pages/0/next/0/to not_forward']],
    [pages(page('p', { next: [{ to: 'end:e' }] })), ['#/pages/0/next/0/to unknown_reference']],
    [pages(page('p'), page('q', { next: [{ to: 'p' }] })), ['#/pages/1/next/0/to not_forward']],
    [pages(page('p', { next: [{ to: 'r' }] }), page('q'), page('r')), ['#/pages/1 unreachable']],
    [pages(page('p', { next: [{ if: on('of_p', 'answered'), to: 'r' }] }), page('q'), page('r')), []],
    [pages(page('p', { show_if: on('of_p', 'answered') })), ['#/pages/0/show_if/field not_earlier']],
    [formOf([text('a', { pattern: '(?=a)' })]), ['#/pages/0/fields/0/pattern invalid_pattern']],
    [formOf([text('a', { pattern: '(a{100}){11}' })]), ['#/pages/0/fields/0/pattern invalid_pattern']],
    [formOf([text('a', { pattern: '(a{100}){10}' })]), []],
    [formOf([text('a', { type: 'number', default: 'x' })]), ['#/pages/0/fields/0/default invalid_default']],
    [formOf([text('a', { type: 'date', min: 'today', default: '2026-01-01' })]), []],
  ];
  for (const [schema, faults] of table)
    deepEqual(faultsOf(schema), faults, JSON.stringify(schema).slice(0, 200));
  deepEqual(faultsOf(formOf([text('a')]), { a: 'email', b: 'date' }), [
    '#/pages/0/fields/0/type type_changed',
  ]);
});

test('a pattern that backtracks in other engines takes no time', () => {
  const parsed = parseSchema(JSON.stringify(formOf([text('a', { pattern: '(a+)+$' })])));
  ok('schema' in parsed);
  const form = compileForm(parsed.schema);
  const started = process.cpuUsage();
  const data = { a: `${'a'.repeat(999)}!` };
  const { errors } = judge(form, { data, hidden: {}, today: '2026-11-27', files: new Map() });
  deepEqual(
    errors.map(({ code }) => code),
    ['invalid_format'],
  );
  // A backtracking engine would need longer than the world has existed: any bound that a busy machine keeps tells them apart.
  ok(process.cpuUsage(started).user < 5_000_000);
});

test('a schema of nothing but faults is told some of them, however many there are', () => {
  const list = (count: number, each: string): string => `[${Array.from({ length: count }, () => each)}]`;
  const around = (fields: string): string => `{"version":1,"locale":"ja","pages":${fields}}`;
  const asked = `{"id":"a","type":"short_text","label":"A","show_if":{"any":${list(80_000, '{}')}}}`;
  equal(faultsOf(around(`[{"id":"p","fields":[${asked}]}]`)).length, 10);
  const chosen = `{"type":"choice","options":${list(200, '{}')}}`;
  ok(faultsOf(around(list(3, `{"fields":${list(130, chosen)}}`))).length > 0);
  const rules = list(501, '{"to":"end:e"}');
  deepEqual(faultsOf(around(`[{"id":"p","fields":[],"next":${rules}}]`)), ['#/pages/0/next too_large']);
});

test('the JSON Schema requires what is asked whatever is answered', () => {
  const required = (schema: Made) => {
    const parsed = parseSchema(JSON.stringify(schema));
    ok('schema' in parsed);
    deepEqual(publishFaults(parsed.schema), []);
    return jsonSchemaOf(parsed.schema)['required'];
  };
  const needed = (id: string, more: object = {}) => ({
    id,
    fields: [text(`of_${id}`, { required: true })],
    ...more,
  });
  const skips = { next: [{ if: on('of_p', 'equals', 'x'), to: 'r' }] };
  deepEqual(required(pages(needed('p'), needed('q'), needed('r'))), ['of_p', 'of_q', 'of_r']);
  deepEqual(required(pages(needed('p', skips), needed('q'), needed('r'))), ['of_p', 'of_r']);
  deepEqual(required(pages(needed('p'), needed('q', { show_if: on('of_p', 'answered') }))), ['of_p']);
  const shown = text('b', { required: true, show_if: on('a', 'answered') });
  deepEqual(required(formOf([text('a'), shown, text('c', { required_if: on('a', 'answered') })])), []);
});
