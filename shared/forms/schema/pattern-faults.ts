import type { RE2JS } from 're2js';
import type { FieldError } from '../../kernel/failure.ts';
import type { Text } from '../../kernel/language.ts';
import { compiledPattern } from '../answers/lines.ts';
import { stepsToMatch } from './pattern-cost.ts';
import { schemaFault } from './places.ts';
import type { Schema } from './schema.ts';
import { placedFields } from './walk.ts';
import { LONGEST_TEXT } from './words.ts';

/**
 * Steps that the patterns of a form may take together for the longest answers; one takes some 0.15 µs. So no submission
 * holds a process for longer than some 30 ms by its patterns.
 */
const MOST_STEPS = 200_000;
/** Steps that the patterns of a form may be compiled to together: 5 µs each, whenever a process meets the form anew. */
const MOST_COMPILED = 10_000;

/**
 * What is wrong with the patterns of a schema: `invalid_pattern` where RE2 has no such expression, `too_costly` at the one that
 * takes the form beyond what its patterns may cost together. Those behind it are not looked at: to compile one costs, too.
 */
export function patternFaults(schema: Schema): FieldError[] {
  const faults: FieldError[] = [];
  let steps = 0;
  let compiled = 0;
  for (const { field, place } of placedFields(schema)) {
    if (!('pattern' in field) || field.pattern === undefined) continue;
    const at = [...place, 'pattern'];
    const pattern = patternOf(field.pattern);
    if (!pattern) {
      faults.push(schemaFault(at, 'invalid_pattern', NOT_A_PATTERN));
      continue;
    }
    compiled += pattern.programSize();
    if (compiled <= MOST_COMPILED) steps += stepsToMatch(pattern, LONGEST_TEXT[field.type], MOST_STEPS);
    if (compiled > MOST_COMPILED || steps > MOST_STEPS)
      return [...faults, schemaFault(at, 'too_costly', TOO_COSTLY)];
  }
  return faults;
}

const NOT_A_PATTERN: Text = {
  en: 'is not a regular expression of RE2, or repeats more than 1,000 times',
  ja: 'はRE2の正規表現ではないか、繰り返しが1,000回を超えています',
};

const TOO_COSTLY: Text = {
  en: 'takes too long with the longest answers, together with the patterns before it; let it repeat less',
  ja: 'は、前の項目のパターンと合わせると最長の回答の照合に時間がかかりすぎます。繰り返しを減らしてください',
};

function patternOf(pattern: string): RE2JS | null {
  try {
    return compiledPattern(pattern);
  } catch {
    return null;
  }
}
