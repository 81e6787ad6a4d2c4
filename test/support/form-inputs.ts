import type { Field } from '../../shared/forms/schema/schema.ts';
import { addressParts, nameParts } from '../../shared/forms/schema/words.ts';

/** What a browser sends for a form: names with values, in the order of the inputs. */
export type Inputs = readonly [name: string, value: string][];

/** Typed into one input. */
const TYPED = new Set([
  'short_text',
  'long_text',
  'email',
  'phone',
  'url',
  'number',
  'date',
  'time',
  'datetime',
]);
const PARTS = { name: nameParts.slice(0, 2), kana: nameParts, address: addressParts };

/**
 * What the inputs of a field send so that the value stands in it; null where no inputs of it could. What is typed is a text without NUL
 * and lone surrogates; what is chosen is a text too, and lists, parts and rows are as many inputs as the field has for them.
 */
export function inputsFor(field: Field, value: unknown): Inputs | null {
  const name = `f-${field.id}`;
  if (isEmpty(value)) return [];
  if (TYPED.has(field.type)) {
    const isTyped = field.type === 'number' && typeof value === 'number';
    return textInput(name, isTyped ? String(value) : value);
  }
  switch (field.type) {
    case 'choice':
    case 'dropdown':
      return chosen(name, value, field.allow_other);
    case 'multi_choice':
      return each(value, (one) => chosen(name, one, field.allow_other));
    case 'yes_no':
      if (typeof value === 'boolean') return [[name, value ? 'yes' : 'no']];
      return value === 'yes' || value === 'no' ? null : textInput(name, value);
    case 'consent':
      return typeof value === 'boolean' ? (value ? [[name, 'yes']] : []) : null;
    case 'rating':
    case 'nps':
    case 'scale':
      return typeof value === 'number' && /^\d{1,2}$/.test(String(value)) ? [[name, String(value)]] : null;
    case 'matrix': {
      const rows = field.rows.map(({ id }) => id);
      return byPart(value, rows, (row, answer) => {
        if (isEmpty(answer)) return [];
        const at = `${name}.${row}`;
        return field.multiple ? each(answer, (one) => textInput(at, one)) : textInput(at, answer);
      });
    }
    case 'ranking':
      return each(value, (one, place) => textInput(`${name}.${place}`, one));
    case 'name':
    case 'address': {
      const parts = field.type === 'name' && field.kana ? PARTS.kana : PARTS[field.type];
      return byPart(value, parts, (part, text) => (isEmpty(text) ? [] : textInput(`${name}.${part}`, text)));
    }
    case 'file':
      return each(value, (one) => textInput(`${name}-kept`, one));
    default:
      return null;
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function textInput(name: string, value: unknown): Inputs | null {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return null;
  return [[name, value.replaceAll(/\r\n?|\n/g, '\r\n')]];
}

function chosen(name: string, value: unknown, allow_other = false): Inputs | null {
  if (typeof value === 'string') return textInput(name, value);
  const isOther = allow_other && isPlain(value) && Object.keys(value).join() === 'other';
  const text = isOther ? textInput(`${name}-other`, value['other']) : null;
  return text && [[name, '-other'], ...text];
}

function each(value: unknown, inputs: (one: unknown, place: number) => Inputs | null): Inputs | null {
  return Array.isArray(value) ? joined(value.map(inputs)) : null;
}

function byPart(
  value: unknown,
  parts: readonly string[],
  inputs: (part: string, answer: unknown) => Inputs | null,
): Inputs | null {
  if (!isPlain(value)) return null;
  if (Object.keys(value).some((key) => !parts.includes(key) && !isEmpty(value[key]))) return null;
  return joined(parts.map((part) => inputs(part, value[part])));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(sent: readonly (Inputs | null)[]): Inputs | null {
  return sent.some((inputs) => inputs === null) ? null : sent.flatMap((inputs) => inputs!);
}
