import { html } from 'ghtml';
import type { FieldOf } from '../../../../shared/forms/schema/schema.ts';
import { addressParts, nameParts } from '../../../../shared/forms/schema/words.ts';
import { words } from '../words.ts';
import { type Filling, group, inputName, invalidity, listOf, partOf, say, textOf } from './filling.ts';

type Part = (typeof nameParts | typeof addressParts)[number];

const AUTOCOMPLETE: Record<Part, string> = {
  last_name: 'family-name',
  first_name: 'given-name',
  last_name_kana: 'off',
  first_name_kana: 'off',
  postal_code: 'postal-code',
  prefecture: 'address-level1',
  city: 'address-level2',
  address_line: 'address-line1',
  building: 'address-line2',
};

/** The parts of a name or an address that a field asks for. */
export function partsOf(field: FieldOf<'name' | 'address'>): readonly Part[] {
  if (field.type === 'address') return addressParts;
  return field.kana ? nameParts : nameParts.slice(0, 2);
}

/** A name or an address, part by part. */
export function parts(filling: Filling<FieldOf<'name' | 'address'>>): string {
  const { field, value, faults, is_required, language } = filling;
  const inputs = partsOf(field).map((part) => {
    const id = inputName(field.id, part);
    const mayMiss = part === 'building';
    const isNeeded = is_required && !mayMiss;
    const isWhole = !mayMiss && faults.some((fault) => fault.part === '');
    const wrong = isWhole ? invalidity(faults) : invalidity(faults, part);
    return html`<div class="field"><label for="${id}">${words[language].parts[part]}</label><input type="text" id="${id}" name="${id}" autocomplete="${AUTOCOMPLETE[part]}" value="${textOf(partOf(value, part))}" !${isNeeded ? 'required' : ''} !${wrong}></div>`;
  });
  return group(filling, inputs.join('\n'));
}

/** A column for each row: a table with heads. On a narrow screen each row is a card. */
export function matrix(filling: Filling<FieldOf<'matrix'>>): string {
  const { field, value, faults, language } = filling;
  const type = field.multiple ? 'checkbox' : 'radio';
  const heads = field.columns.map(
    ({ id, label }) =>
      html`<th scope="col" id="${`${inputName(field.id)}-column-${id}`}">${say(filling, label)}</th>`,
  );
  const rows = field.rows.map((row) => {
    const name = inputName(field.id, row.id);
    const label = say(filling, row.label);
    const answer = partOf(value, row.id);
    const cells = field.columns.map((column, index) => {
      const isChecked = answer === column.id || listOf(answer).includes(column.id);
      const spoken = `${label}: ${say(filling, column.label)}`;
      const wrong = type === 'checkbox' ? invalidity(faults, row.id) : '';
      return html`<td><label data-label="${say(filling, column.label)}"><input type="${type}" id="${`${name}-${index}`}" name="${name}" value="${column.id}" aria-label="${spoken}" !${isChecked ? 'checked' : ''} !${wrong}></label></td>`;
    });
    const wrong = faults.some(({ part }) => part === row.id) ? ' class="wrong"' : '';
    return html`<tr!${wrong}><th scope="row">${label}</th>!${cells.join('')}</tr>`;
  });
  return group(
    filling,
    html`<div class="table cards"><table><thead><tr><td><span class="unseen">${words[language].row}</span></td>!${heads.join('')}</tr></thead>
<tbody>!${rows.join('\n')}</tbody></table></div>`,
  );
}

/** Options in an order: one select for each place. */
export function ranking(filling: Filling<FieldOf<'ranking'>>): string {
  const { field, value, faults, language } = filling;
  const order = listOf(value);
  const selects = field.options.map((_, place) => {
    const id = inputName(field.id, String(place));
    const options = field.options.map(
      (option) =>
        html`<option value="${option.id}" !${order[place] === option.id ? 'selected' : ''}>${say(filling, option.label)}</option>`,
    );
    return html`<div class="field"><label for="${id}">${words[language].place(place + 1)}</label><select id="${id}" name="${id}" !${invalidity(faults)}><option value="">${words[language].choose}</option>!${options.join('')}</select></div>`;
  });
  return group(filling, selects.join('\n'));
}
