import { addressParts, nameParts } from '../../shared/forms/schema/words.ts';
import type { Draws } from './random-draws.ts';
import {
  ADDRESSES,
  DATE_TIMES,
  DATES,
  DECIMALS,
  EMAILS,
  type MadeField,
  type MadeForm,
  PHONES,
  TEXTS,
  TIMES,
} from './random-forms.ts';

export type Submission = { data: Record<string, unknown>; hidden: Record<string, unknown> };

/** Files that answers may name: each belongs to the field whose ID follows its name. */
export const fileOf = (field_id: string, number: number): string => `ffile_${number}_${field_id}`;

/** What no field takes, or takes as nothing. */
const HOSTILE: readonly unknown[] = [
  null,
  '',
  ' \u3000',
  [],
  {},
  0,
  -0,
  1,
  5.5,
  11,
  -1,
  1e21,
  1e-7,
  true,
  false,
  'x',
  '\u0000',
  'a\ud800',
  '\udc00',
  [null],
  [''],
  [[]],
  [{}],
  [1],
  { other: '' },
  { other: 'o' },
  { other: 5 },
  { other: 'o', more: 1 },
  [{ other: ' ' }],
  ['p', 'p'],
  ['p', 'zz'],
  { p: 'p' },
  { p: 'zz' },
  { p: ['p', 'p'] },
  { zz: 'p' },
  { last_name: 'a' },
  { ['__proto__']: 'x' },
  { constructor: 'p' },
  '__proto__',
  'x'.repeat(1_001),
  '😀'.repeat(1_001),
  'x'.repeat(10_001),
  'か\u3099',
  'a\r\nb',
  '\ufeffa\u0085',
  '１２',
  '1_000',
  '+1',
  '.5',
  '1.',
  '00.10',
  '1e3',
  '٣',
  '９'.repeat(16),
  '0'.repeat(30),
  '1.0000000',
  '-0.0',
  '--1',
  '1,000',
  'NaN',
  'Infinity',
  1234567890123456,
  '2026-02-29',
  '2026-11-31',
  '0000-01-01',
  '2026-11-27 ',
  '２０２６-11-27',
  '2026-11-27T24:00',
  '24:00',
  '9:30',
  '2026-1-1',
  'a@',
  '@b',
  'a@b..c',
  'a@-b',
  'a b@c.example',
  `a@${'b'.repeat(63)}`,
  `a@${'b'.repeat(64)}`,
  `${'a'.repeat(250)}@b.example`,
  '12345',
  '1234567890123456',
  '03-1234-567x',
  '（０３）１２３４－５６７８',
  `1${' '.repeat(100)}23456`,
  'ftp://a',
  'http://',
  'http:///a',
  'http://a b',
  'https://u@a',
  'javascript:alert(1)',
  `https://a/${'x'.repeat(1_990)}`,
  `https://a/${'x'.repeat(1_991)}`,
  'x'.repeat(3_000),
];

/** Answers to a form: most fit their fields, some nearly, some not at all; now and then a name that it does not ask. */
export function submissionOf(draws: Draws, { pages, hidden }: MadeForm, hostile: number): Submission {
  const { chance, among } = draws;
  const fields = pages.flatMap((page) => page.fields);
  const data: Record<string, unknown> = {};
  for (const field of fields) {
    if (chance(20)) continue;
    if (chance(hostile)) data[field.id] = among(HOSTILE);
    else if (field.type !== 'statement') data[field.id] = answerOf(draws, field, hostile);
  }
  if (chance(hostile / 5)) data[among(['zz', 'page_0', 'h_1', 'score_1', 'toString'])] = among(HOSTILE);
  const values = hidden
    .filter(() => chance(70))
    .map((name) => [name, chance(hostile) ? among(HOSTILE) : among(TEXTS)]);
  if (chance(hostile / 5)) values.push(['zz', 'x']);
  return { data, hidden: Object.fromEntries(values) };
}

function answerOf(draws: Draws, field: MadeField, hostile: number): unknown {
  const { chance, among, some, between, members } = draws;
  const one = (list: readonly string[]): unknown => (chance(hostile) ? among(HOSTILE) : among(list));
  const of = (list: unknown): string[] => (list as { id: string }[]).map(({ id }) => id);
  const shuffled = <Each>(list: readonly Each[]): Each[] => {
    const keys = list.map((each) => ({ each, key: draws.below(1_000) }));
    return keys.toSorted((a, b) => a.key - b.key).map(({ each }) => each);
  };
  const other = (): unknown => ({ other: one(TEXTS) });
  switch (field.type) {
    case 'short_text':
    case 'long_text':
      return among([one(TEXTS), `${among(TEXTS)}\r\n${among(TEXTS)}`, among(TEXTS).repeat(between(1, 4))]);
    case 'email':
      return among(EMAILS);
    case 'phone':
      return among(PHONES);
    case 'url':
      return among(ADDRESSES);
    case 'number':
      return among([...DECIMALS, 7, 1.25, '８', ' 3 ']);
    case 'date':
      return among([...DATES, ` ${among(DATES)}`, '2026-11-28', '2026-10-28', '2026-10-27']);
    case 'time':
      return among([...TIMES, '12:00']);
    case 'datetime':
      return among(DATE_TIMES);
    case 'choice':
    case 'dropdown':
      return field['allow_other'] && chance(30) ? other() : among(of(field['options']));
    case 'multi_choice': {
      const chosen: unknown[] = some(of(field['options']));
      if (field['allow_other'] && chance(30)) chosen.push(other());
      if (chance(hostile)) chosen.push(among(HOSTILE));
      return shuffled(chosen);
    }
    case 'yes_no':
    case 'consent':
      return chance(60);
    case 'rating':
    case 'nps':
    case 'scale':
      return between(0, 10);
    case 'matrix': {
      const columns = of(field['columns']);
      const value = (): unknown => (field['multiple'] ? shuffled(some(columns)) : among(columns));
      const cell = (): unknown => (chance(hostile) ? among(HOSTILE) : value());
      const rows = members(Object.fromEntries(shuffled(of(field['rows'])).map((row) => [row, [80, cell]])));
      return { ...rows, ...members({ zz: [hostile / 5, () => 'p'] }) };
    }
    case 'ranking': {
      const order = shuffled(of(field['options']));
      return chance(hostile) ? order.slice(1) : order;
    }
    case 'name':
      return members({
        ...Object.fromEntries(nameParts.map((part) => [part, [90, () => one(['山田', '花子', 'ヤマダ'])]])),
        zz: [hostile / 5, () => 'x'],
      });
    case 'address': {
      const parts = Object.fromEntries(
        addressParts.map((part) => [part, [95, () => one(['東京都', '1-2-3', 'x'])]]),
      );
      return members({
        ...parts,
        postal_code: [95, () => one(['100-0001', '1000001', '１００ー０００１', '100-001', '1'.repeat(201)])],
      } as never);
    }
    case 'file':
      return Array.from({ length: between(0, 3) }, (_, n) =>
        chance(hostile) ? among(HOSTILE) : fileOf(field.id, n),
      );
    default:
      return among(HOSTILE);
  }
}
