import { html } from 'ghtml';
import type { Field, Words } from '../../../../shared/forms/schema/schema.ts';
import type { Language } from '../../../../shared/kernel/language.ts';
import { textIn } from '../texts.ts';
import { words } from '../words.ts';

/** A file that was uploaded, as the page names it. */
export type AttachedFile = { id: string; file_name: string };

/** What is wrong with an answer or a part of it: the part, empty for the whole, and the sentence. */
export type Fault = { part: string; sentence: string };

/** A field with what stands in it. */
export type Filling<Type extends Field = Field> = {
  field: Type;
  language: Language;
  /** The answer as the API takes it, right or wrong; undefined where nothing was entered. */
  value: unknown;
  faults: readonly Fault[];
  /** Whether an answer is needed, as far as the answers so far tell. */
  is_required: boolean;
  files: readonly AttachedFile[];
};

/** The name, and the ID, of the input of a field or of a part of it. The IDs of fields have neither hyphen nor dot. */
export function inputName(field_id: string, part = ''): string {
  return part === '' ? `f-${field_id}` : `f-${field_id}.${part}`;
}

/** The name of an input that is a whole field, with the ID of that. */
export const INPUT = /^f-([a-z][a-z0-9_]{0,63})$/;

/** The ID of an input of a field, to link to. */
export function placeOf({ field, faults }: Pick<Filling, 'field' | 'faults'>): string {
  const name = inputName(field.id);
  switch (field.type) {
    case 'choice':
    case 'multi_choice':
    case 'yes_no':
    case 'rating':
    case 'nps':
    case 'scale':
      return `${name}-0`;
    case 'matrix':
      return `${inputName(field.id, faults[0]?.part || field.rows[0]!.id)}-0`;
    case 'name':
      return inputName(field.id, faults[0]?.part || 'last_name');
    case 'address':
      return inputName(field.id, faults[0]?.part || 'postal_code');
    case 'ranking':
      return inputName(field.id, '0');
    default:
      return name;
  }
}

/** The label with the word that an answer is needed; hidden where that depends on answers and is not so now. */
export function labelled({ field, language, is_required }: Filling): string {
  const word = html`<span class="needed" !${is_required ? '' : 'hidden'}>${words[language].required}</span>`;
  const mayBe = field.type !== 'statement' && (is_required || field.required_if !== undefined);
  return html`${textIn(field.label, language)}!${mayBe ? ` ${word}` : ''}`;
}

/** Help and faults of a field, and the attribute that ties them to its input. */
export function notesOf(filling: Filling, more = ''): { notes: string; described: string } {
  const { field, language, faults } = filling;
  const name = inputName(field.id);
  const help = [field.help && textIn(field.help, language), more].filter(Boolean);
  const wrong = faults.map(({ part, sentence }) => partName(filling, part) + sentence);
  const ids = [help.length > 0 && `${name}-help`, wrong.length > 0 && `${name}-fault`].filter(Boolean);
  const notes = html`!${help.length > 0 ? html`<span class="quiet lines" id="${`${name}-help`}">${help.join('\n')}</span>` : ''}
!${wrong.length > 0 ? html`<span class="fault lines" id="${`${name}-fault`}">${wrong.join('\n')}</span>` : ''}`;
  return { notes, described: ids.length > 0 ? html`aria-describedby="${ids.join(' ')}"` : '' };
}

/** The name of a part before its fault. */
function partName({ field, language }: Filling, part: string): string {
  if (part === '') return '';
  const { parts } = words[language];
  if (field.type === 'name' || field.type === 'address') {
    return Object.hasOwn(parts, part) ? `${parts[part as keyof typeof parts]}: ` : '';
  }
  if (field.type !== 'matrix') return '';
  const row = field.rows.find(({ id }) => id === part);
  return row ? `${textIn(row.label, language)}: ` : '';
}

/** The attribute of an input whose answer is wrong. */
export function invalidity(faults: readonly Fault[], part?: string): string {
  const isWrong = part === undefined ? faults.length > 0 : faults.some((each) => each.part === part);
  return isWrong ? 'aria-invalid="true"' : '';
}

/** A group of inputs with its legend. */
export function group(filling: Filling, inner: string, { role = '', hint = '' } = {}): string {
  const { notes, described } = notesOf(filling, hint);
  const state =
    role === ''
      ? ''
      : html`role="${role}" !${invalidity(filling.faults)} !${filling.is_required ? 'aria-required="true"' : ''}`;
  return html`<fieldset class="choices" !${state} !${described}><legend>!${labelled(filling)}</legend>
!${notes}
!${inner}
</fieldset>`;
}

/** The texts of a label in the language of the page. */
export function say(filling: Filling, text: Words): string {
  return textIn(text, filling.language);
}

/** The answer where it is a text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** A part of an answer that is an object. */
export function partOf(value: unknown, part: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, part) ? (value as Record<string, unknown>)[part] : undefined;
}

/** The parts of an answer that is a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
