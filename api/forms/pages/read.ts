import type { Field } from '../../../shared/forms/schema/schema.ts';
import type { Form } from '../../pages/kit/page.ts';
import { OTHER } from './inputs/choices.ts';
import { inputName } from './inputs/filling.ts';
import { partsOf } from './inputs/groups.ts';

/** Answers of a form that is filled in, right or wrong, as the API takes them; null where a field was left empty. */
export type Answers = Record<string, unknown>;

/** What a form sent for fields. What was left empty is null, so that its default does not come back. */
export function answersIn(form: Form, fields: readonly Field[]): Answers {
  return Object.fromEntries(
    fields
      .filter(({ type }) => type !== 'statement')
      .map((field) => [field.id, answerIn(form, field)] as const),
  );
}

function answerIn(form: Form, field: Field): unknown {
  const name = inputName(field.id);
  const text = textIn(form, name);
  switch (field.type) {
    case 'choice':
    case 'dropdown':
      return field.allow_other ? (ownText(form, name, text) ?? text) : text;
    case 'multi_choice': {
      const chosen: unknown[] = form.all(name).filter((each) => each !== OTHER);
      const own = field.allow_other ? textIn(form, `${name}-other`) : null;
      return someOf(own === null ? chosen : [...chosen, { other: own }]);
    }
    case 'yes_no':
      return text === null ? null : yesOrNo(text);
    case 'consent':
      return text === null ? null : true;
    case 'rating':
    case 'nps':
    case 'scale':
      return text === null || !/^\d{1,2}$/.test(text) ? text : Number(text);
    case 'matrix': {
      const rows = field.rows.map(({ id }) => {
        const chosen = form.all(inputName(field.id, id)).filter((each) => each !== '');
        return [id, field.multiple ? someOf(chosen) : (chosen[0] ?? null)] as const;
      });
      return partsThat(rows);
    }
    case 'ranking':
      return someOf(
        field.options.map((_, place) => textIn(form, inputName(field.id, String(place)))).filter(isThere),
      );
    case 'name':
    case 'address':
      return partsThat(
        partsOf(field).map((part) => [part, textIn(form, inputName(field.id, part))] as const),
      );
    case 'file':
      return someOf(
        [...form.all(`${name}-kept`), ...form.all(name)].filter((each) => each.startsWith('ffile_')),
      );
    default:
      return text;
  }
}

/** What was typed, with the line ends of the API; null where nothing was. */
function textIn(form: Form, name: string): string | null {
  const text = form.get(name).replaceAll('\r\n', '\n');
  return text.trim() === '' ? null : text;
}

/** A text of one's own, chosen or just typed where nothing else was chosen. */
function ownText(form: Form, name: string, chosen: string | null): { other: string } | null {
  if (chosen !== null && chosen !== OTHER) return null;
  const own = textIn(form, `${name}-other`);
  if (own !== null) return { other: own };
  return chosen === OTHER ? { other: '' } : null;
}

function yesOrNo(text: string): unknown {
  if (text === 'yes') return true;
  return text === 'no' ? false : text;
}

function someOf(values: readonly unknown[]): readonly unknown[] | null {
  return values.length > 0 ? values : null;
}

function isThere<Value>(value: Value | null): value is Value {
  return value !== null;
}

/** The parts that have an answer; null where none has. */
function partsThat(parts: readonly (readonly [string, unknown])[]): Record<string, unknown> | null {
  const given = parts.filter(([, value]) => value !== null);
  return given.length > 0 ? Object.fromEntries(given) : null;
}
