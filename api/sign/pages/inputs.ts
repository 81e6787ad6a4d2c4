import { html } from 'ghtml';
import { type Filling, labelOf, notesOf, shownLabel } from './filling.ts';
import { isDrawn } from './groups.ts';
import type { FieldShown } from './shown.ts';
import { signatureInput } from './signature.ts';
import { type Say, words } from './words.ts';

/** The input of a group. The script finds by `data-places` where its fields stand on the pages. */
export function input(filling: Filling): string {
  const { group } = filling;
  const { name, field, fields } = group;
  const say = words[filling.language];
  const places = fields.map(({ id, page, x, y, w, h }) => ({ id, page, x, y, w, h }));
  const inner = isDrawn(field) ? signatureInput(filling) : plainInput(filling, say);
  return html`<div class="input" id="${`field-${name}`}" data-type="${field.type}" data-label="${labelOf(say, field)}" data-places="${JSON.stringify(places)}"!${field.required ? ' data-required' : ''}>
!${inner}
</div>`;
}

function plainInput(filling: Filling, say: Say): string {
  const { field } = filling.group;
  if (field.type === 'radio') return radios(filling, say);
  if (field.type === 'checkbox') return checkbox(filling, say);
  return line(filling, say);
}

function line(filling: Filling, say: Say): string {
  const { group, sent, fault, signer } = filling;
  const { name, field } = group;
  const { notes, described } = notesOf(filling, hintOf(say, field));
  const given = typeof field.value === 'string' ? field.value : field.type === 'name' ? signer : '';
  const value = sent?.get(name) ?? given;
  const state = html`!${field.required ? ' required' : ''}!${fault ? ' aria-invalid="true"' : ''}!${described}`;
  return html`<p class="field"><label for="${name}">${shownLabel(say, field)}</label>
!${notes}
!${control(say, field, { name, value, state })}</p>`;
}

function control(
  say: Say,
  field: FieldShown,
  { name, value, state }: { name: string; value: string; state: string },
): string {
  const named = html`id="${name}" name="${name}"!${state}`;
  if (field.type === 'select') {
    const options = (field.options ?? []).map(
      (option) => html`<option!${option === value ? ' selected' : ''}>${option}</option>`,
    );
    return html`<select !${named} autocomplete="off"><option value="">${say.choose}</option>!${options.join('')}</select>`;
  }
  const bounds = html`!${field.validation?.min_length ? html` minlength="${field.validation.min_length}"` : ''}!${field.validation?.max_length ? html` maxlength="${field.validation.max_length}"` : ''}`;
  if (field.type === 'text' && isTall(field)) {
    return html`<textarea !${named} rows="3" autocomplete="off"!${bounds}>${value}</textarea>`;
  }
  return html`<input !${named} type="text" value="${value}" !${typing(field)}!${bounds}>`;
}

/** Whether several lines fit into it. */
function isTall({ h }: FieldShown): boolean {
  return h >= 0.045;
}

function typing({ type, validation }: FieldShown): string {
  if (type === 'name') return 'autocomplete="name"';
  if (type === 'number') return 'inputmode="decimal" autocomplete="off"';
  const modes: Record<string, string> = {
    email: 'inputmode="email" autocomplete="email"',
    phone: 'inputmode="tel" autocomplete="tel"',
    postal_code: 'inputmode="numeric" autocomplete="postal-code"',
    digits: 'inputmode="numeric" autocomplete="off"',
  };
  return modes[validation?.format ?? ''] ?? 'autocomplete="off"';
}

function hintOf(say: Say, { validation }: FieldShown): string {
  if (!validation) return '';
  const { format, min_length, max_length, min, max } = validation;
  return [
    format && say.formats[format],
    min_length && say.length_from(min_length),
    max_length && say.length_to(max_length),
    min !== undefined && min !== null && say.number_from(String(min)),
    max !== undefined && max !== null && say.number_to(String(max)),
  ]
    .filter(Boolean)
    .join(say.comma);
}

function radios(filling: Filling, say: Say): string {
  const { group, sent } = filling;
  const { name, field } = group;
  const { notes, described } = notesOf(filling, '');
  const chosen = sent?.get(name) ?? field.value;
  const rows = (field.options ?? []).map((option, index) => {
    const id = index === 0 ? name : `${name}-${index}`;
    return html`<p class="choice"><input type="radio" id="${id}" name="${name}" value="${option}"!${field.required ? ' required' : ''}!${option === chosen ? ' checked' : ''}><label for="${id}">${option}</label></p>`;
  });
  return html`<fieldset class="choices"!${described}><legend>${shownLabel(say, field)}</legend>
!${notes}
!${rows.join('\n')}
</fieldset>`;
}

function checkbox(filling: Filling, say: Say): string {
  const { group, sent, fault } = filling;
  const { name, field } = group;
  const { notes, described } = notesOf(filling, '');
  const isOn = sent ? sent.has(name) : field.value === true;
  return html`<p class="choice"><input type="checkbox" id="${name}" name="${name}" value="yes"!${field.required ? ' required' : ''}!${fault ? ' aria-invalid="true"' : ''}!${isOn ? ' checked' : ''}!${described}><label for="${name}">${shownLabel(say, field)}</label>!${notes}</p>`;
}
