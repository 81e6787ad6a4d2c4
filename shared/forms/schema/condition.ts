import { z } from 'zod';
import { says, type Text } from '../../kernel/language.ts';
import { isStorable } from '../../kernel/schema.ts';
import { type Operator, operators } from './words.ts';

/** What a condition asks about one field, `matrix.row` or hidden name. `answered` and `not_answered` have no value. */
export type Leaf = { field: string; op: Operator; value?: LeafValue };

export type LeafValue = string | number | boolean | readonly string[];

export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | Leaf;

/** Levels of a condition, its leaves counted. */
const DEEPEST = 6;

const JOINTS = ['all', 'any', 'not'] as const;
const MEMBERS = ['field', 'op', 'value'] as const;

/** What is said where a condition should stand and none does. */
const NO_CONDITION: Text = {
  en: 'must be a condition: { all: [] }, { any: [] }, { not } or { field, op, value }',
  ja: 'は条件で指定してください：{ all: [] }、{ any: [] }、{ not }、{ field, op, value } のいずれか',
};

/** Faults of one condition that are told: a schema may hold thousands of conditions. */
const MOST_FAULTS = 10;

type Path = readonly (string | number)[];
type Fault = { path: Path; code: string; predicate: Text };

/** A condition as a schema writes it. Whether what it names exists and can be asked so is judged when the form is published. */
export function condition() {
  return z
    .custom<Condition>(() => true)
    .superRefine((value, issues) => {
      for (const { path, code, predicate } of faultsOf(value, [], 1).slice(0, MOST_FAULTS)) {
        issues.addIssue({ code: 'custom', path: [...path], params: { code }, message: says(predicate) });
      }
    });
}

/** The leaves of a condition. */
export function leavesOf(condition: Condition): Leaf[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf);
  if ('any' in condition) return condition.any.flatMap(leavesOf);
  return 'not' in condition ? leavesOf(condition.not) : [condition];
}

/** Goes no deeper than a condition may, so that no text makes it run out of stack. */
function faultsOf(value: unknown, path: Path, depth: number): Fault[] {
  if (depth > DEEPEST) {
    return [
      { path, code: 'too_deep', predicate: { en: 'has more than 6 levels', ja: 'の階層は6段までです' } },
    ];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ path, code: 'invalid_type', predicate: NO_CONDITION }];
  }
  const joint = JOINTS.find((name) => Object.hasOwn(value, name));
  if (joint === undefined) {
    const isLeaf = Object.hasOwn(value, 'field') || Object.hasOwn(value, 'op');
    return isLeaf ? faultsOfLeaf(value, path) : [{ path, code: 'invalid_value', predicate: NO_CONDITION }];
  }
  const inner: unknown = (value as Record<string, unknown>)[joint];
  const unknown = unknownKeys(value, [joint], path);
  const below = [...path, joint];
  if (joint === 'not') return unknown.concat(faultsOf(inner, below, depth + 1));
  if (!Array.isArray(inner)) {
    const predicate = { en: 'must be a list of conditions', ja: 'は条件の配列で指定してください' };
    return unknown.concat({ path: below, code: 'invalid_type', predicate });
  }
  return unknown.concat(inner.flatMap((each, index) => faultsOf(each, [...below, index], depth + 1)));
}

function faultsOfLeaf(leaf: object, path: Path): Fault[] {
  const { field, op, value } = leaf as { field?: unknown; op?: unknown; value?: unknown };
  const faults = unknownKeys(leaf, MEMBERS, path);
  const add = (member: string, sent: unknown, code: string, predicate: Text): void => {
    faults.push({ path: [...path, member], code: sent === undefined ? 'required' : code, predicate });
  };
  if (!isText(field)) {
    add('field', field, 'invalid_type', { en: 'must name a field', ja: 'に項目を指定してください' });
  }
  if (!operators.includes(op as Operator)) {
    add('op', op, 'invalid_value', {
      en: `must be one of ${operators.join(', ')}`,
      ja: `は ${operators.join('、')} のいずれかで指定してください`,
    });
  } else if (op === 'answered' || op === 'not_answered') {
    if (value !== undefined) {
      add('value', value, 'not_allowed', {
        en: 'is not for this operator',
        ja: 'はこの演算子では指定できません',
      });
    }
  } else if (!isValue(value)) {
    add('value', value, 'invalid_type', {
      en: 'must be a text, a number, true, false or a list of texts',
      ja: 'は文字列、数値、true、false、文字列の配列のいずれかで指定してください',
    });
  }
  return faults;
}

function isValue(value: unknown): value is LeafValue {
  if (Array.isArray(value)) return value.every(isText);
  return isText(value) || typeof value === 'number' || typeof value === 'boolean';
}

/** A text that the database can hold. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}

function unknownKeys(value: object, known: readonly string[], path: Path): Fault[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      path: [...path, key],
      code: 'unknown_field',
      predicate: { en: 'is not known here', ja: 'は使えない項目です' },
    }));
}
