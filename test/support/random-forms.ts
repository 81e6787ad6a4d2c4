import { type FieldType, fieldTypes } from '../../shared/forms/schema/words.ts';
import type { Draws } from './random-draws.ts';

export type MadeField = { id: string; type: FieldType; [member: string]: unknown };
type MadePage = { id: string; fields: MadeField[]; [member: string]: unknown };
export type MadeForm = { pages: MadePage[]; hidden: string[]; [member: string]: unknown };

/** Texts that conditions and answers share, so that they meet. */
export const TEXTS = ['a', 'ab', 'ＡＢ', 'Abc', '東京', 'カﾞ', '\u304c', '😀', 'x y', 'ﬁ'];
export const EMAILS = ['a@b.example', 'A@b.example', 'hanako.yamada@example.co.jp'];
export const PHONES = ['03-1234-5678', '０３ー１２３４−５６７８', '+81 3 1234', '123456'];
export const ADDRESSES = ['https://example.com/', 'http://例え.jp/道?x#y', 'HTTPS://a:80'];
export const DECIMALS = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1.50',
  '-0.000001',
  '12',
  '999999999999999.999999',
  '-7.25',
];
export const DATES = ['2026-11-27', '2026-11-26', '2024-02-29', '0001-01-01', '9999-12-31'];
export const TIMES = ['00:00', '09:30', '23:59'];
export const DATE_TIMES = ['2026-11-27T09:30', '2024-02-29T00:00', '2026-11-26T23:59'];

const OPTIONS = ['p', 'q', 'r', 's'];
const options = (ids: readonly string[]) => ids.map((id) => ({ id, label: id }));

/** A form that can be published, but for pages that nothing may lead to: a few pages, fields of all types but patterns. */
export function formOf(draws: Draws): MadeForm {
  const hidden = draws.chance(40) ? ['h_1', 'h_2'] : [];
  const asked: MadeField[] = [];
  const page_ids = Array.from({ length: draws.between(1, 4) }, (_, page) => `page_${page}`);
  const endings = draws.some(['end_0', 'end_1']);
  const when = (): object => conditionOf(draws, asked, hidden, draws.between(1, 6));
  const pages = page_ids.map((id, page) => {
    const show = draws.members({ show_if: [page === 0 ? 5 : 25, when] });
    const fields = Array.from({ length: draws.between(page === 0 ? 1 : 0, 4) }, () => {
      const field = fieldOf(draws, `f_${asked.length}`, when);
      asked.push(field);
      return field;
    });
    const targets = [...page_ids.slice(page + 1), ...endings.map((each) => `end:${each}`)];
    const rule = (): object => ({ ...draws.members({ if: [85, when] }), to: draws.among(targets) });
    const next = draws.chance(40) && targets.length > 0 ? [rule(), ...draws.some([rule()])] : null;
    return { id, ...show, fields, ...(next && { next }) };
  });
  const ifs = (): object[] =>
    Array.from({ length: draws.below(4) }, () => ({ if: when(), value: decimal() }));
  const decimal = (): string | number => draws.among([...DECIMALS.filter((each) => each.length < 8), 3, 0.5]);
  return {
    version: 1,
    locale: 'ja',
    pages,
    hidden,
    endings: endings.map((id) => ({ id, title: id, ...draws.members({ if: [70, when] }) })),
    scores: draws.some(['score_1', 'score_2']).map((name) => ({ name, initial: decimal(), add: ifs() })),
  };
}

/** A field of a random type. */
export function fieldOf(draws: Draws, id: string, when: () => object): MadeField {
  const type = draws.among(fieldTypes);
  const field = { id, type, label: id, ...ofType(draws, type) };
  const show = draws.members({ show_if: [25, when] });
  if (type === 'statement') return { ...field, ...show };
  return { ...field, ...show, ...draws.members({ required: [30, () => true], required_if: [20, when] }) };
}

function ofType(draws: Draws, type: FieldType): Record<string, unknown> {
  const { members, between, among, chance } = draws;
  const yes = (): boolean => true;
  const range = (bounds: readonly (string | number)[]) =>
    chance(40) ? { [among(['min', 'max'])]: among(bounds) } : {};
  switch (type) {
    case 'short_text':
    case 'long_text':
      return members({ min_length: [25, () => between(0, 2)], max_length: [25, () => between(2, 5)] });
    case 'number':
      return { ...range([...DECIMALS, 5]), ...members({ decimals: [60, () => between(0, 6)] }) };
    case 'date':
      return range([...DATES, 'today', 'today+1', 'today-30']);
    case 'time':
      return range(TIMES);
    case 'datetime':
      return range(DATE_TIMES);
    case 'choice':
    case 'dropdown':
      return { options: options(OPTIONS.slice(0, between(2, 4))), ...members({ allow_other: [50, yes] }) };
    case 'multi_choice': {
      const lengths = members({
        min_selected: [30, () => between(0, 2)],
        max_selected: [30, () => between(2, 3)],
      });
      return {
        options: options(OPTIONS.slice(0, between(2, 4))),
        ...members({ allow_other: [50, yes] }),
        ...lengths,
      };
    }
    case 'consent':
    case 'statement':
      return { text: 'T' };
    case 'rating':
      return members({ max: [50, () => between(3, 10)] });
    case 'scale':
      return { min: between(0, 1), max: between(2, 10) };
    case 'matrix': {
      const lines = {
        rows: options(OPTIONS.slice(0, between(1, 3))),
        columns: options(OPTIONS.slice(0, between(1, 3))),
      };
      return { ...lines, ...members({ multiple: [50, yes] }) };
    }
    case 'ranking':
      return { options: options(OPTIONS.slice(0, between(2, 4))) };
    case 'name':
      return members({ kana: [50, yes] });
    case 'file':
      return members({ max_files: [60, () => between(1, 3)] });
    default:
      return {};
  }
}

/** A condition of at most so many levels about what stands earlier. */
function conditionOf(
  draws: Draws,
  asked: readonly MadeField[],
  hidden: readonly string[],
  levels: number,
): object {
  const { chance, among, between } = draws;
  if (levels > 1 && chance(45)) {
    const inner = (): object => conditionOf(draws, asked, hidden, levels - 1);
    const joint = among(['all', 'any', 'not']);
    return { [joint]: joint === 'not' ? inner() : Array.from({ length: between(0, 3) }, inner) };
  }
  const names = [...asked.filter(({ type }) => type !== 'statement'), ...hidden];
  if (names.length === 0) return among([{ all: [] }, { any: [] }]);
  const named = among(names);
  return typeof named === 'string' ? leafOf(draws, named, TEXT) : leafAbout(draws, named);
}

type Asking = { one: readonly string[]; values: readonly unknown[]; list?: boolean };

const EQUALITY = ['equals', 'not_equals'];
const ORDER = [...EQUALITY, 'gt', 'gte', 'lt', 'lte'];
const TEXT: Asking = { one: [...EQUALITY, 'contains'], values: TEXTS };
const MARK: Asking = { one: ORDER, values: [0, 1, 3, '5', 10] };

/** How fields of each type may be asked about, and with which values. */
function askingOf(field: MadeField): Asking {
  const ids = (list: unknown): string[] => (list as { id: string }[]).map(({ id }) => id);
  switch (field.type) {
    case 'short_text':
    case 'long_text':
      return TEXT;
    case 'email':
      return { ...TEXT, values: [...EMAILS, 'EXAMPLE'] };
    case 'phone':
      return { ...TEXT, values: [...PHONES, '１２３'] };
    case 'url':
      return { ...TEXT, values: [...ADDRESSES, 'example'] };
    case 'number':
      return { one: ORDER, values: [...DECIMALS, 1, -3] };
    case 'date':
      return { one: ORDER, values: DATES };
    case 'time':
      return { one: ORDER, values: TIMES };
    case 'datetime':
      return { one: ORDER, values: DATE_TIMES };
    case 'choice':
    case 'dropdown':
      return { one: EQUALITY, values: ids(field['options']), list: true };
    case 'multi_choice':
      return { one: ['contains'], values: ids(field['options']), list: true };
    case 'yes_no':
    case 'consent':
      return { one: EQUALITY, values: [true, false] };
    case 'rating':
    case 'nps':
    case 'scale':
      return MARK;
    default:
      return { one: [], values: [] };
  }
}

function leafAbout(draws: Draws, field: MadeField): object {
  if (field.type !== 'matrix' || draws.chance(20)) return leafOf(draws, field.id, askingOf(field));
  const [rows, columns] = [field['rows'], field['columns']] as { id: string }[][];
  const one = field['multiple'] ? ['contains'] : EQUALITY;
  const values = columns!.map(({ id }) => id);
  return leafOf(draws, `${field.id}.${draws.among(rows!).id}`, { one, values, list: true });
}

function leafOf({ among, some }: Draws, field: string, { one, values, list }: Asking): object {
  const op = among(['answered', 'not_answered', ...one, ...one, ...(list ? ['any_of', 'none_of'] : [])]);
  if (op === 'any_of' || op === 'none_of') return { field, op, value: [among(values), ...some(values)] };
  return one.includes(op) ? { field, op, value: among(values) } : { field, op };
}
