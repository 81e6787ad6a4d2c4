import { z } from 'zod';
import { says } from '../../kernel/language.ts';
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

type Issues = Pick<z.core.$RefinementCtx, 'addIssue'>;
type Path = readonly (string | number)[];

/** A condition as a schema writes it. Whether what it names exists and can be asked so is judged when the form is published. */
export function condition() {
  return z.custom<Condition>(() => true).superRefine((value, issues) => judge(value, [], 1, issues));
}

/** How many leaves a condition has. */
export function leavesOf(condition: Condition): Leaf[] {
  if ('all' in condition) return condition.all.flatMap(leavesOf);
  if ('any' in condition) return condition.any.flatMap(leavesOf);
  return 'not' in condition ? leavesOf(condition.not) : [condition];
}

/** Goes no deeper than a condition may, so that no text makes it run out of stack. */
function judge(value: unknown, path: Path, depth: number, issues: Issues): void {
  if (depth > DEEPEST) {
    return fault(issues, path, 'too_deep', { en: 'has more than 6 levels', ja: 'の階層は6段までです' });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault(issues, path, 'invalid_type', { en: 'must be a condition', ja: 'は条件で指定してください' });
  }
  const joint = ['all', 'any', 'not'].find((name) => Object.hasOwn(value, name));
  if (joint === undefined) return judgeLeaf(value, path, issues);
  onlyKeys(value, [joint], path, issues);
  const inner: unknown = (value as Record<string, unknown>)[joint];
  if (joint === 'not') return judge(inner, [...path, joint], depth + 1, issues);
  if (!Array.isArray(inner)) {
    return fault(issues, [...path, joint], 'invalid_type', {
      en: 'must be a list of conditions',
      ja: 'は条件の配列で指定してください',
    });
  }
  for (const [index, each] of inner.entries()) judge(each, [...path, joint, index], depth + 1, issues);
}

function judgeLeaf(leaf: object, path: Path, issues: Issues): void {
  const { field, op, value } = leaf as { field?: unknown; op?: unknown; value?: unknown };
  onlyKeys(leaf, ['field', 'op', 'value'], path, issues);
  if (typeof field !== 'string') {
    fault(issues, [...path, 'field'], field === undefined ? 'required' : 'invalid_type', {
      en: 'must name a field',
      ja: 'に項目を指定してください',
    });
  }
  if (!operators.includes(op as Operator)) {
    return fault(issues, [...path, 'op'], op === undefined ? 'required' : 'invalid_value', {
      en: `must be one of ${operators.join(', ')}`,
      ja: `は ${operators.join('、')} のいずれかで指定してください`,
    });
  }
  const takesNone = op === 'answered' || op === 'not_answered';
  if (takesNone && value !== undefined) {
    fault(issues, [...path, 'value'], 'not_allowed', {
      en: 'is not for this operator',
      ja: 'はこの演算子では指定できません',
    });
  }
  if (!takesNone && !isValue(value)) {
    fault(issues, [...path, 'value'], value === undefined ? 'required' : 'invalid_type', {
      en: 'must be a text, a number, true, false or a list of texts',
      ja: 'は文字列、数値、true、false、文字列の配列のいずれかで指定してください',
    });
  }
}

function isValue(value: unknown): value is LeafValue {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function onlyKeys(value: object, keys: readonly string[], path: Path, issues: Issues): void {
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue;
    fault(issues, [...path, key], 'unknown_field', { en: 'is not known here', ja: 'は使えない項目です' });
  }
}

function fault(issues: Issues, path: Path, code: string, predicate: { en: string; ja: string }): void {
  issues.addIssue({ code: 'custom', path: [...path], params: { code }, message: says(predicate) });
}
