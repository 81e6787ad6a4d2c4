import { html } from 'ghtml';
import type { FieldOf } from '../../../../shared/forms/schema/schema.ts';
import { paragraphs } from '../texts.ts';
import { words } from '../words.ts';
import {
  type Filling,
  group,
  inputName,
  invalidity,
  labelled,
  listOf,
  notesOf,
  partOf,
  say,
  textOf,
} from './filling.ts';

/** The value of the option that stands for a text of one's own: no ID begins so. */
export const OTHER = '-other';

type Row = { value: string; label: string; is_checked: boolean };

function rowsOf(filling: Filling, type: 'radio' | 'checkbox', rows: readonly Row[]): string {
  const name = inputName(filling.field.id);
  // A fault of a group of radios stands on the group.
  const wrong = type === 'checkbox' ? invalidity(filling.faults) : '';
  return rows
    .map(({ value, label, is_checked }, index) => {
      const id = `${name}-${index}`;
      return html`<p class="choice"><input type="${type}" id="${id}" name="${name}" value="${value}" !${is_checked ? 'checked' : ''} !${wrong}><label for="${id}">${label}</label></p>`;
    })
    .join('\n');
}

function otherInput(
  filling: Filling<FieldOf<'choice' | 'dropdown' | 'multi_choice'>>,
  other: string | null,
): string {
  if (!filling.field.allow_other) return '';
  const name = `${inputName(filling.field.id)}-other`;
  const label = words[filling.language].other_text;
  return html`<div class="field"><label for="${name}">${label}</label><input type="text" id="${name}" name="${name}" value="${other ?? ''}" maxlength="255" autocomplete="off"></div>`;
}

function otherIn(value: unknown): string | null {
  const other = partOf(value, 'other');
  return typeof other === 'string' ? other : null;
}

/** One of several options, each in sight. */
export function choice(filling: Filling<FieldOf<'choice'>>): string {
  const { field, value } = filling;
  const other = otherIn(value);
  const rows = field.options.map(({ id, label }) => ({
    value: id,
    label: say(filling, label),
    is_checked: value === id,
  }));
  if (field.allow_other)
    rows.push({ value: OTHER, label: words[filling.language].other, is_checked: other !== null });
  return group(filling, rowsOf(filling, 'radio', rows) + otherInput(filling, other), { role: 'radiogroup' });
}

/** Several of several options. */
export function multiChoice(filling: Filling<FieldOf<'multi_choice'>>): string {
  const { field, value } = filling;
  const chosen = listOf(value);
  const other = chosen.map(otherIn).find((each) => each !== null) ?? null;
  const rows = field.options.map(({ id, label }) => ({
    value: id,
    label: say(filling, label),
    is_checked: chosen.includes(id),
  }));
  if (field.allow_other)
    rows.push({ value: OTHER, label: words[filling.language].other, is_checked: other !== null });
  return group(filling, rowsOf(filling, 'checkbox', rows) + otherInput(filling, other));
}

/** One of several options, folded up. */
export function dropdown(filling: Filling<FieldOf<'dropdown'>>): string {
  const { field, value, faults, is_required, language } = filling;
  const name = inputName(field.id);
  const { notes, described } = notesOf(filling);
  const other = otherIn(value);
  const option = (id: string, label: string, is_selected: boolean) =>
    html`<option value="${id}" !${is_selected ? 'selected' : ''}>${label}</option>`;
  const options = field.options.map(({ id, label }) => option(id, say(filling, label), value === id));
  if (field.allow_other) options.push(option(OTHER, words[language].other, other !== null));
  return html`<div class="field"><label for="${name}">!${labelled(filling)}</label>
!${notes}
<select id="${name}" name="${name}" !${is_required ? 'required' : ''} !${invalidity(faults)} !${described}>
<option value="">${words[language].choose}</option>
!${options.join('\n')}
</select></div>
!${otherInput(filling, other)}`;
}

/** Yes or no. */
export function yesNo(filling: Filling<FieldOf<'yes_no'>>): string {
  const { value, language } = filling;
  const { yes, no } = words[language];
  const rows = [
    { value: 'yes', label: yes, is_checked: value === true },
    { value: 'no', label: no, is_checked: value === false },
  ];
  return group(filling, rowsOf(filling, 'radio', rows), { role: 'radiogroup' });
}

/** What somebody agrees to, and the box that says so. */
export function consent(filling: Filling<FieldOf<'consent'>>): string {
  const { field, value, faults, is_required, language } = filling;
  const name = inputName(field.id);
  const { notes, described } = notesOf(filling);
  return html`<fieldset class="choices" !${described}><legend>!${labelled(filling)}</legend>
!${paragraphs(say(filling, field.text))}
!${notes}
<p class="choice"><input type="checkbox" id="${name}" name="${name}" value="yes" !${value === true ? 'checked' : ''} !${is_required ? 'required' : ''} !${invalidity(faults)}><label for="${name}">${words[language].consent}</label></p>
</fieldset>`;
}

/** A number of a row of numbers. */
export function marks(filling: Filling<FieldOf<'rating' | 'nps' | 'scale'>>): string {
  const { field, value } = filling;
  const [lowest, highest] = rangeOf(field);
  const rows = Array.from({ length: highest - lowest + 1 }, (_, index) => {
    const mark = String(lowest + index);
    return { value: mark, label: markLabel(filling, lowest + index), is_checked: textOf(value) === mark };
  });
  const hint = words[filling.language].of_scale(lowest, highest);
  return group(filling, html`<div class="marks">!${rowsOf(filling, 'radio', rows)}</div>`, {
    role: 'radiogroup',
    hint,
  });
}

function markLabel(filling: Filling<FieldOf<'rating' | 'nps' | 'scale'>>, mark: number): string {
  const { field } = filling;
  if (field.type !== 'scale') return String(mark);
  const named = mark === field.min ? field.min_label : mark === field.max ? field.max_label : undefined;
  return named === undefined ? String(mark) : `${mark} ${say(filling, named)}`;
}

/** The least and the greatest mark of a field. */
export function rangeOf(field: FieldOf<'rating' | 'nps' | 'scale'>): [lowest: number, highest: number] {
  if (field.type === 'nps') return [0, 10];
  return field.type === 'rating' ? [1, field.max ?? 5] : [field.min, field.max];
}
