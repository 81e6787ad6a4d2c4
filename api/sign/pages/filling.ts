import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Form } from '../../pages/kit/page.ts';
import type { Group } from './groups.ts';
import type { FieldShown } from './shown.ts';
import type { Say } from './words.ts';

/** An input and what is known about it: what the form had when it was refused, and what is wrong with it. */
export type Filling = {
  language: Language;
  group: Group;
  sent: Form | undefined;
  fault: string | null;
  signer: string;
};

/** The name of a field for who fills it in. */
export function labelOf(say: Say, { label, type }: FieldShown): string {
  return label || say.types[type];
}

/** The notes of an input and the attribute that names them. */
export function notesOf(
  { group: { name }, fault }: Filling,
  hint: string,
): { notes: string; described: string } {
  const ids = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const notes = html`!${hint ? html`<span class="quiet" id="${`${name}-hint`}">${hint}</span>` : ''}
!${fault ? html`<span class="fault" id="${`${name}-fault`}">${fault}</span>` : ''}`;
  return { notes, described: ids ? html` aria-describedby="${ids}"` : '' };
}

/** The label with a note for what may stay empty. */
export function shownLabel(say: Say, field: FieldShown): string {
  const label = labelOf(say, field);
  return field.required ? label : say.optional(label);
}
