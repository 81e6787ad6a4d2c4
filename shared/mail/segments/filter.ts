import { z } from 'zod';
import { says, type Text } from '../../kernel/language.ts';
import { isDecimal, isStorable, timestampInput } from '../../kernel/schema.ts';
import { type FilterField, type FilterOp, fieldNames, fieldOf, filterOps, opsOf } from './fields.ts';

export type FilterValue = string | number | readonly string[];

/** One question about a contact. */
export type FilterCondition = { field: string; op: FilterOp; value?: FilterValue | undefined };

/** Which contacts a segment has. An empty `all` is everybody, an empty `any` nobody. */
export type SegmentFilter =
  | { all: readonly SegmentFilter[] }
  | { any: readonly SegmentFilter[] }
  | { not: SegmentFilter }
  | FilterCondition;

/** Levels of a filter, its conditions counted. */
const DEEPEST = 5;

const MOST_CONDITIONS = 50;

/** Groups, of which empty ones cost no condition. */
const MOST_GROUPS = 50;

const MOST_VALUES = 100;
const LONGEST_VALUE = 500;
const MOST_DAYS = 36_500;

/** Faults of one filter that are told. */
const MOST_FAULTS = 10;

type Path = readonly (string | number)[];
type Fault = { path: Path; code: string; predicate: Text };

/** A filter as requests send it. Faults stand at their places. */
export function segmentFilter() {
  return z
    .custom<SegmentFilter>((value) => typeof value === 'object' && value !== null, {
      params: { code: 'invalid_type' },
      error: says({ en: 'must be an object', ja: 'はオブジェクトで指定してください' }),
      abort: true,
    })
    .superRefine((value, issues) => {
      for (const { path, code, predicate } of faultsOf(value).slice(0, MOST_FAULTS)) {
        issues.addIssue({ code: 'custom', path: [...path], params: { code }, message: says(predicate) });
      }
    })
    .describe(
      `\`{ all: [] }\`, \`{ any: [] }\`, \`{ not }\` or \`{ field, op, value }\`; ${DEEPEST} levels, ${MOST_CONDITIONS} conditions. Fields: ${fieldNames.join(', ')}. Operators: ${filterOps.join(', ')}. Texts are compared without regard to case and width; of an empty value \`not_equals\`, \`none_of\` and \`is_empty\` are true, all others false. Fields that begin with \`crm.\` need \`crm:read\`.`,
    )
    .meta({
      jsonSchema: { type: 'object' },
      examples: [{ all: [{ field: 'domain', op: 'equals', value: 'example.co.jp' }] }],
    });
}

/** The conditions of a filter. */
export function conditionsOf(filter: SegmentFilter): FilterCondition[] {
  if ('all' in filter) return filter.all.flatMap(conditionsOf);
  if ('any' in filter) return filter.any.flatMap(conditionsOf);
  return 'not' in filter ? conditionsOf(filter.not) : [filter];
}

/** The lists that a filter asks about. */
export function listsNamedBy(filter: SegmentFilter): string[] {
  const values = conditionsOf(filter).flatMap(({ field, value }) =>
    field === 'list_id' ? (value ?? []) : [],
  );
  return [...new Set(values.map(String))];
}

/** Whether a filter leaves out nobody, whoever the contacts are: it has no condition that could. */
export function isEverybody(filter: SegmentFilter): boolean {
  return foregone(filter) === true;
}

/** What a filter answers of every contact alike; null where that depends on a condition. */
function foregone(filter: SegmentFilter): boolean | null {
  if ('not' in filter) {
    const inner = foregone(filter.not);
    return inner === null ? null : !inner;
  }
  if (!('all' in filter || 'any' in filter)) return null;
  const isAll = 'all' in filter;
  const inner = (isAll ? filter.all : filter.any).map(foregone);
  if (inner.includes(!isAll)) return !isAll;
  return inner.includes(null) ? null : isAll;
}

/** A filter with its members in the order in which the database keeps them. */
export function inStoredForm(filter: SegmentFilter): SegmentFilter {
  if ('all' in filter) return { all: filter.all.map(inStoredForm) };
  if ('any' in filter) return { any: filter.any.map(inStoredForm) };
  if ('not' in filter) return { not: inStoredForm(filter.not) };
  const { op, field, value } = filter;
  return value === undefined ? { op, field } : { op, field, value };
}

function faultsOf(filter: unknown): Fault[] {
  const seen = { conditions: 0, groups: 0 };
  return read(filter, [], 1);

  function read(value: unknown, path: Path, depth: number): Fault[] {
    if (depth > DEEPEST) return [tooDeep(path)];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [notAFilter(path)];
    const joint = (['all', 'any', 'not'] as const).find((name) => Object.hasOwn(value, name));
    if (joint === undefined) {
      seen.conditions += 1;
      if (seen.conditions > MOST_CONDITIONS) return [tooMany(path, 'conditions')];
      return conditionFaults(value as Record<string, unknown>, path);
    }
    seen.groups += 1;
    if (seen.groups > MOST_GROUPS) return [tooMany(path, 'groups')];
    const others = Object.keys(value).filter((name) => name !== joint);
    if (others.length > 0) return others.map((name) => unknownMember([...path, name]));
    const inner = (value as Record<string, unknown>)[joint];
    if (joint === 'not') return read(inner, [...path, joint], depth + 1);
    if (!Array.isArray(inner)) {
      const predicate = { en: 'must be an array', ja: 'は配列で指定してください' };
      return [{ path: [...path, joint], code: 'invalid_type', predicate }];
    }
    const faults: Fault[] = [];
    for (const [index, each] of inner.entries()) {
      faults.push(...read(each, [...path, joint, index], depth + 1));
      if (faults.length >= MOST_FAULTS) break;
    }
    return faults;
  }
}

function conditionFaults(condition: Record<string, unknown>, path: Path): Fault[] {
  const other = Object.keys(condition).find((name) => !['field', 'op', 'value'].includes(name));
  if (other !== undefined) return [unknownMember([...path, other])];
  const { field: name, op, value } = condition;
  const field = typeof name === 'string' && isStorable(name) ? fieldOf(name) : undefined;
  if (!field) {
    const listed = fieldNames.join(', ');
    const predicate = { en: `must be one of: ${listed}`, ja: `は次のいずれかを指定してください：${listed}` };
    return [{ path: [...path, 'field'], code: 'unknown_field', predicate }];
  }
  const fitting = opsOf[field.kind];
  if (!fitting.some((each) => each === op)) {
    const listed = fitting.join(', ');
    const predicate = {
      en: `does not fit this field; these do: ${listed}`,
      ja: `はこの項目に使えません。使えるもの：${listed}`,
    };
    return [{ path: [...path, 'op'], code: 'invalid_value', predicate }];
  }
  return valueFaults(field, op as FilterOp, value, [...path, 'value']);
}

function valueFaults(field: FilterField, op: FilterOp, value: unknown, path: Path): Fault[] {
  if (op === 'is_empty' || op === 'is_not_empty') {
    const predicate = { en: 'must be left out for this operator', ja: 'はこの演算子では指定できません' };
    return value === undefined ? [] : [{ path, code: 'invalid_value', predicate }];
  }
  if (op === 'within_days') {
    const predicate = {
      en: `must be a whole number of days from 1 to ${MOST_DAYS}`,
      ja: `は1から${MOST_DAYS}までの日数（整数）で指定してください`,
    };
    const fits = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST_DAYS;
    return fits ? [] : [{ path, code: 'out_of_range', predicate }];
  }
  if (op === 'any_of' || op === 'none_of') {
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES) {
      const predicate = {
        en: `must be an array of 1 to ${MOST_VALUES} texts`,
        ja: `は1〜${MOST_VALUES}件の文字列の配列で指定してください`,
      };
      return [{ path, code: 'invalid_value', predicate }];
    }
    return value.flatMap((each, index) => textFaults(field, each, [...path, index]));
  }
  if (field.kind === 'time') {
    const predicate = {
      en: 'must be an ISO 8601 time with its zone',
      ja: 'はタイムゾーン付きのISO 8601形式の日時で指定してください',
    };
    return timestampInput().safeParse(value).success ? [] : [{ path, code: 'invalid_format', predicate }];
  }
  const isCompared = field.kind === 'custom_field' && opsOf.time.includes(op);
  return isCompared ? comparedFaults(value, path) : textFaults(field, value, path);
}

function comparedFaults(value: unknown, path: Path): Fault[] {
  const isNumber = typeof value === 'number' || (typeof value === 'string' && isDecimal(value));
  if (isNumber || z.iso.date().safeParse(value).success) return [];
  const predicate = {
    en: 'must be a number or a day as YYYY-MM-DD',
    ja: 'は数値か YYYY-MM-DD 形式の日付で指定してください',
  };
  return [{ path, code: 'invalid_value', predicate }];
}

function textFaults({ words }: FilterField, value: unknown, path: Path): Fault[] {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_VALUE || !isStorable(value)) {
    const predicate = {
      en: `must be a text of 1 to ${LONGEST_VALUE} characters`,
      ja: `は1〜${LONGEST_VALUE}文字の文字列で指定してください`,
    };
    return [{ path, code: 'invalid_value', predicate }];
  }
  if (!words || words.includes(value)) return [];
  const listed = words.join(', ');
  const predicate = { en: `must be one of: ${listed}`, ja: `は次のいずれかを指定してください：${listed}` };
  return [{ path, code: 'invalid_value', predicate }];
}

function tooDeep(path: Path): Fault {
  const predicate = { en: `has more than ${DEEPEST} levels`, ja: `の階層は${DEEPEST}段までです` };
  return { path, code: 'too_deep', predicate };
}

function notAFilter(path: Path): Fault {
  const predicate = { en: 'must be a group or a condition', ja: 'はグループか条件で指定してください' };
  return { path, code: 'invalid_type', predicate };
}

function tooMany(path: Path, what: 'conditions' | 'groups'): Fault {
  const predicate =
    what === 'conditions'
      ? { en: `is more than ${MOST_CONDITIONS} conditions`, ja: `：条件は${MOST_CONDITIONS}件までです` }
      : { en: `is more than ${MOST_GROUPS} groups`, ja: `：グループは${MOST_GROUPS}件までです` };
  return { path, code: 'too_many', predicate };
}

function unknownMember(path: Path): Fault {
  const predicate = { en: 'is not a member of a filter', ja: 'という項目は条件にありません' };
  return { path, code: 'unknown_field', predicate };
}
