import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm } from '../../../shared/forms/answers/compiled.ts';
import { judge } from '../../../shared/forms/answers/judge.ts';
import { parseSchema } from '../../../shared/forms/schema/parse.ts';
import { publishFaults } from '../../../shared/forms/schema/publish.ts';
import { formOf, optionsOf } from './cases/case.ts';
import { visit } from './cases/visit.ts';

const parsed = parseSchema(JSON.stringify(visit));
if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
const form = compileForm(parsed.schema);

function judged(data: Record<string, unknown>) {
  const { errors, ...rest } = judge(form, { data, hidden: {}, today: '2026-11-27', files: new Map() });
  return { ...rest, errors: errors.map(({ path, code }) => `${path} ${code}`) };
}

test('the example can be published', () => deepEqual(publishFaults(parsed.schema), []));

test('full-width digits are stored as a number', () => {
  const { data, errors } = judged({ kind: 'new', seats: '１２' });
  deepEqual([data, errors], [{ kind: 'new', seats: '12' }, []]);
});

test('answers of what is not shown are dropped with their faults', () => {
  deepEqual(judged({ kind: 'new', model: 'X-1', since: '2026-04-31', seats: 3 }), {
    data: { kind: 'new', seats: '3' },
    hidden: {},
    errors: [],
    visible_fields: ['kind', 'seats', 'budget'],
    dropped_fields: ['model', 'since'],
    path: ['visit', 'plan'],
    ending_id: null,
    scores: {},
  });
});

test('what is shown and needed is asked for', () => {
  deepEqual(judged({ kind: 'repair', seats: 5 }).errors, ['/data/model required', '/data/since required']);
  deepEqual(judged({ kind: 'new', seats: 100 }).errors, ['/data/budget required']);
});

test('an answer with a fault counts as unanswered', () => {
  deepEqual(judged({ kind: '新規', seats: 501 }).errors, [
    '/data/kind unknown_option',
    '/data/since required',
    '/data/seats out_of_range',
  ]);
});

/** What people are told about one field, in both languages. */
function told(field: Record<string, unknown>, answer: unknown): string[] {
  const page = { id: 'page', fields: [{ id: 'asked', label: '問い', ...field }] };
  const read = parseSchema(JSON.stringify({ version: 1, locale: 'ja', pages: [page] }));
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  const data = { asked: answer };
  const { errors } = judge(compileForm(read.schema), {
    data,
    hidden: {},
    today: '2026-11-27',
    files: new Map(),
  });
  return errors.flatMap(({ message: { en, ja } }) => [en, ja]);
}

test('days beyond their bounds are told of as earlier and later, numbers as less and more', () => {
  deepEqual(told({ type: 'date', max: 'today' }, '2026-11-28'), [
    'Enter 2026-11-27 or earlier',
    '2026-11-27以前で入力してください',
  ]);
  deepEqual(told({ type: 'time', min: '09:00' }, '08:59'), [
    'Enter 09:00 or later',
    '09:00以降で入力してください',
  ]);
  deepEqual(told({ type: 'number', max: '5' }, '6'), ['Enter 5 or less', '5以下で入力してください']);
});

test('what is needed is asked for in the words of its input', () => {
  const options = [
    { id: 'one', label: '一' },
    { id: 'two', label: '二' },
  ];
  const asked = (field: Record<string, unknown>) => told({ ...field, required: true }, null)[1];
  deepEqual(
    [
      asked({ type: 'short_text' }),
      asked({ type: 'choice', options }),
      asked({ type: 'file' }),
      asked({ type: 'consent', text: '個人情報の取り扱いについて' }),
    ],
    ['入力してください', '選択してください', 'ファイルを選択してください', '同意が必要です'],
  );
});

test('of lists with thousands of faults a hundred are told', () => {
  const of = (fields: object[], data: Record<string, unknown>): number => {
    const parsed = parseSchema(JSON.stringify(formOf(fields)));
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
    return judge(compileForm(parsed.schema), { data, hidden: {}, today: '2026-11-27', files: new Map() })
      .errors.length;
  };
  const options = optionsOf('x', 'y');
  const list = Array.from({ length: 5_000 }, (_, n) => `k_${n}`);
  const rows = Object.fromEntries(list.map((id) => [id, 'x']));
  equal(of([{ id: 'a', type: 'multi_choice', label: 'A', options }], { a: list }), 100);
  equal(of([{ id: 'a', type: 'matrix', label: 'A', rows: options, columns: options }], { a: rows }), 100);
  equal(of([{ id: 'a', type: 'file', label: 'A' }], { a: list }), 100);
  equal(of([{ id: 'a', type: 'email', label: 'A' }], rows), 100);
});

test('five hundred conditions about one long text fold it once', (t) => {
  const leaf = { field: 'a', op: 'contains', value: 'ab' };
  const add = Array.from({ length: 500 }, () => ({ if: leaf, value: 1 }));
  const scores = [{ name: 's', initial: 0, add }];
  const parsed = parseSchema(
    JSON.stringify(formOf([{ id: 'a', type: 'long_text', label: 'A' }], { scores })),
  );
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  const asked = compileForm(parsed.schema);
  const normalize = t.mock.method(String.prototype, 'normalize');
  const data = { a: 'ＡＢ'.repeat(5_000) };
  deepEqual(judge(asked, { data, hidden: {}, today: '2026-11-27', files: new Map() }).scores, { s: '500' });
  // Once as it is stored; then the answer and what is searched for.
  equal(normalize.mock.callCount(), 3);
});
