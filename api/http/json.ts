import { Failure } from '../../shared/kernel/failure.ts';
import type { Text } from '../../shared/kernel/language.ts';
import { DecimalSource } from '../../shared/kernel/schema.ts';

/** Members and elements that a body may have, at all depths together. */
export const MOST_VALUES = 20_000;

/** Different names that the members of a larger body may have: each costs more than a value does, and schemas know few. */
const MOST_NAMES = 20_000;

/** Objects and arrays within each other that a body may have; RFC 8259, 9, lets a parser set a limit. No call takes more than ten. */
export const MOST_LEVELS = 64;

/**
 * Parses JSON. Numbers with a fraction, with an exponent or beyond 2^53 keep their source text, so that nothing passes
 * through binary floating point. The time is linear in the length of the text, and the values are counted before any is
 * made. Errors: `malformed_json`, `too_many_values`.
 */
export function parseJson(text: string, most_values = MOST_VALUES): unknown {
  if (text === '') return undefined;
  const needsSources = survey(text, most_values);
  try {
    const value: unknown = JSON.parse(text);
    return needsSources ? withSources(text) : value;
  } catch (error) {
    throw new Failure('malformed_json', { detail: notJson((error as Error).message.slice(0, 200)) });
  }
}

/**
 * Sees that a text of JSON within a form has no more values than a body may have, before it is parsed with plain numbers. Errors:
 * `too_many_values`, `malformed_json` for more than `MOST_LEVELS` levels.
 */
export function requireFewValues(text: string, most_values = MOST_VALUES): void {
  survey(text, most_values);
}

/**
 * Counts the values of a text that may or may not be JSON. Answers whether it has numbers that JavaScript does not hold
 * exactly. Errors: `too_many_values`, also for more than `MOST_NAMES` names; `malformed_json` for more than `MOST_LEVELS` levels.
 */
function survey(text: string, most_values: number): boolean {
  let values = 0;
  let needsSources = false;
  let isOpened = false;
  let levels = 0;
  // Of a smaller body the values bound them.
  const names = most_values > MOST_NAMES ? new Set<string>() : null;
  let lastString = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (isSpace(letter)) continue;
    // The first value of an object or array follows its bracket; each of the others follows a comma.
    if (isOpened && letter !== ']' && letter !== '}') values += 1;
    isOpened = letter === '[' || letter === '{';
    if (isOpened) levels += 1;
    else if (letter === ']' || letter === '}') levels -= 1;
    if (levels > MOST_LEVELS) throw tooDeep();
    if (letter === ',') values += 1;
    if (values > most_values) throw tooManyValues(most_values);
    if (letter === '"') {
      const end = endOfString(text, at);
      if (names) lastString = text.slice(at, end);
      at = end - 1;
    } else if (letter === ':') {
      if (names && names.add(lastString).size > MOST_NAMES) throw tooManyNames();
    } else if (isNumberStart(letter)) {
      const end = endOfScalar(text, at);
      needsSources ||= !isExactNumber(text.slice(at, end));
      at = end - 1;
    }
  }
  return needsSources;
}

type Container = { value: unknown[] | Record<string, unknown>; name: string | null };

/** The value of a text that is known to be JSON, with the numbers that JavaScript cannot hold as `DecimalSource`. */
function withSources(text: string): unknown {
  const root: unknown[] = [];
  const open: Container[] = [{ value: root, name: null }];
  for (let at = 0; at < text.length; ) {
    const letter = text[at]!;
    const inside = open.at(-1)!;
    if (isSpace(letter) || letter === ',' || letter === ':') at += 1;
    else if (letter === ']' || letter === '}') {
      open.pop();
      at += 1;
    } else if (letter === '[' || letter === '{') {
      const value = letter === '[' ? [] : {};
      put(inside, value);
      open.push({ value, name: null });
      at += 1;
    } else if (letter === '"') {
      const end = endOfString(text, at);
      const string = stringOf(text.slice(at, end));
      if (inside.name === null && !Array.isArray(inside.value)) inside.name = string;
      else put(inside, string);
      at = end;
    } else {
      const end = endOfScalar(text, at);
      const source = text.slice(at, end);
      const isHeld = !isNumberStart(letter) || isExactNumber(source);
      put(inside, isHeld ? JSON.parse(source) : new DecimalSource(source));
      at = end;
    }
  }
  return root[0];
}

function put(inside: Container, value: unknown): void {
  if (Array.isArray(inside.value)) {
    inside.value.push(value);
    return;
  }
  const name = inside.name!;
  // An assignment would set the prototype instead of a member.
  if (name === '__proto__') Object.defineProperty(inside.value, name, { value, ...MEMBER });
  else inside.value[name] = value;
  inside.name = null;
}

const MEMBER = { configurable: true, enumerable: true, writable: true };

/** The value of a JSON string. */
function stringOf(source: string): string {
  return source.includes('\\') ? JSON.parse(source) : source.slice(1, -1);
}

/** Whether JavaScript's number is the one of the source text, for whole numbers; others keep their text. */
function isExactNumber(source: string): boolean {
  return /^-?\d{1,16}$/.test(source) && Number.isSafeInteger(Number(source));
}

/** The place after the string that begins at that place; the end of the text where it has none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text[before] === '\\') before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

/** The place after the number, `true`, `false` or `null` that begins at that place. */
function endOfScalar(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && !ENDS_SCALAR.has(text[end]!)) end += 1;
  return end;
}

const ENDS_SCALAR = new Set([' ', '\t', '\n', '\r', ',', ':', '"', '[', ']', '{', '}']);

function isSpace(letter: string): boolean {
  return letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t';
}

function isNumberStart(letter: string): boolean {
  return letter === '-' || (letter >= '0' && letter <= '9');
}

/** The engine tells the place in English alone. */
function notJson(place: string): Text {
  return { en: place, ja: `JSONとして解釈できません（${place}）` };
}

function tooDeep(): Failure {
  const detail = {
    en: `Objects and arrays may stand in each other ${MOST_LEVELS} deep`,
    ja: `オブジェクトと配列の入れ子は${MOST_LEVELS}段までです`,
  };
  return new Failure('malformed_json', { detail });
}

function tooManyNames(): Failure {
  const detail = {
    en: `The members of all objects in the body may have ${MOST_NAMES} different names`,
    ja: `本文のオブジェクトの項目名は、異なるものを合わせて${MOST_NAMES}種類までです`,
  };
  return new Failure('too_many_values', { detail });
}

export function tooManyValues(most: number): Failure {
  const detail = {
    en: `The body may have ${most} members and elements in all its objects and arrays`,
    ja: `本文に含められる項目と要素は、すべてのオブジェクトと配列を合わせて${most}個までです`,
  };
  return new Failure('too_many_values', { detail });
}
