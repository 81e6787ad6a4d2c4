import { html } from 'ghtml';
import type { FieldOf } from '../../../../shared/forms/schema/schema.ts';
import { fileKinds } from '../../../../shared/forms/schema/words.ts';
import { textIn } from '../texts.ts';
import { words } from '../words.ts';
import { type Filling, group, inputName, invalidity, labelled, listOf, notesOf } from './filling.ts';

/** Files to choose, below those that were uploaded already: each of them may be left out again. */
export function files(filling: Filling<FieldOf<'file'>>): string {
  const { field, faults, is_required, language, value } = filling;
  const say = words[language];
  const { max_files = 1, max_mib = 10, accept = fileKinds } = field;
  const name = inputName(field.id);
  const hint = say.files_hint(max_files, max_mib, accept.join(', '));
  const attached = listOf(value);
  const kept = filling.files
    .filter(({ id }) => attached.includes(id))
    .map(({ id, file_name }, index) => {
      const box = `${name}-kept-${index}`;
      return html`<p class="choice"><input type="checkbox" id="${box}" name="${`${name}-kept`}" value="${id}" checked><label for="${box}">${say.keep_file(file_name)}</label></p>`;
    });
  const endings = accept.flatMap((kind) => (kind === 'jpeg' ? ['.jpg', '.jpeg'] : [`.${kind}`]));
  const needed = is_required && kept.length === 0 ? 'required' : '';
  const control = (described: string) =>
    html`<input type="file" id="${name}" name="${name}" accept="${endings.join(',')}" !${max_files > 1 ? 'multiple' : ''} !${needed} !${invalidity(faults)} !${described}>`;
  if (kept.length > 0) {
    const label = html`aria-label="${textIn(field.label, language)}"`;
    return group(filling, `${kept.join('\n')}<div class="field">${control(label)}</div>`, { hint });
  }
  const { notes, described } = notesOf(filling, hint);
  return html`<div class="field"><label for="${name}">!${labelled(filling)}</label>
!${notes}
!${control(described)}</div>`;
}
