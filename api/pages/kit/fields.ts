import { html } from 'ghtml';
import type { z } from 'zod';
import { invalidAll } from '../../../shared/kernel/failure.ts';
import { fieldErrorsOf } from '../../http/field-errors.ts';
import { TOKEN_FIELD } from './form-token.ts';
import type { Language } from './language.ts';
import type { Refused, Visit } from './page.ts';
import { failureSentence, fieldErrorSentence } from './words.ts';

/** A field of one line, or of several (`long`). */
type LineField = {
  type?: 'text' | 'email' | 'password' | 'date' | 'tel' | 'number' | 'long';
  options?: undefined;
};

/** A field with options, of which one is chosen, or several. */
type ChoiceField = { type: 'one' | 'several'; options: readonly Option[] };

/** An option as it is sent, and as it is shown: its label, or HTML in the place of that. */
export type Option = { value: string; label: string; html?: string };

export type Field = (LineField | ChoiceField) & {
  name: string;
  label: string;
  autocomplete: string;
  /** Which keys a telephone shows, where the type does not say it. */
  inputmode?: 'numeric' | 'decimal';
  hint?: string;
  value?: string;
  optional?: boolean;
};

/** A form of this page with its fields and one button. `note` stands above the fields. */
export function form(
  { path, link, language, form_token }: Visit,
  { fields, button, refused, told, action = path, note = '', after = '' }: FormParts,
): string {
  return html`<form method="post" action="${link(action)}">
!${sealed(form_token)}
!${summary(refused, fields, language, told)}
!${note}
!${fields.map((field) => fieldOf(field, refused, language)).join('\n')}
!${after}
<p><button type="submit">${button}</button></p>
</form>`;
}

type FormParts = {
  fields: readonly Field[];
  button: string;
  refused?: Refused | undefined;
  /** The sentence about the refusal where that of the kit does not do. */
  told?: string | undefined;
  /** Where the form goes, unless to this page. */
  action?: string;
  /** What stands above the fields, and what stands below them; HTML, escaped already. */
  note?: string;
  after?: string;
};

/** A button that does something by itself. `about` completes its name for who cannot see where it stands. */
export function button(
  { link, form_token }: Visit,
  { action, label, about, more = {} }: { action: string; label: string; about?: string; more?: object },
): string {
  const fields = Object.entries(more).map(([name, value]) => hidden(name, value));
  const spoken = about ? html` aria-label="${`${label}: ${about}`}"` : '';
  return html`<form method="post" action="${link(action)}" class="inline">!${sealed(form_token)}!${fields.join('')}<button type="submit" class="plain"!${spoken}>${label}</button></form>`;
}

/** A field that the visitor does not see. */
export function hidden(name: string, value: string): string {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

function sealed(form_token: string | null): string {
  return form_token === null ? '' : hidden(TOKEN_FIELD, form_token);
}

/** What was wrong with a form that has no fields of this kit, told first. */
export function alert(refused: Refused | undefined, language: Language, told?: string): string {
  if (!refused) return '';
  return html`<p class="alert" role="alert">${told ?? failureSentence(refused.failure, language)}</p>`;
}

/**
 * What was wrong with the form, and a link to each field that it is about. It takes the focus when the page opens, so that
 * who cannot see the page hears it first and goes on from there (technique G199 of WCAG); `autofocus` does so without a script.
 */
function summary(
  refused: Refused | undefined,
  fields: readonly Field[],
  language: Language,
  told?: string,
): string {
  if (!refused) return '';
  const wrong = fields.flatMap(({ name, label, options }) => {
    const sentence = fieldErrorSentence(refused, name, language);
    return sentence ? [{ place: options ? `${name}-0` : name, label, sentence }] : [];
  });
  return summaryOf(alert(refused, language, told), wrong);
}

/** What is wrong with one input of a form, and the ID of that input. */
export type Wrong = { place: string; label: string; sentence: string };

/** The same for a form with inputs of its own; `alert` is HTML. */
export function summaryOf(alert: string, wrong: readonly Wrong[]): string {
  const items = wrong.map(
    ({ place, label, sentence }) => html`<li><a href="${`#${place}`}">${label}</a>: ${sentence}</li>`,
  );
  return html`<div class="summary" tabindex="-1" autofocus>
!${alert}
!${items.length > 0 ? html`<ul>!${items.join('\n')}</ul>` : ''}
</div>`;
}

function fieldOf(field: Field, refused: Refused | undefined, language: Language): string {
  const { name, label, type = 'text', autocomplete, inputmode, hint, optional = false } = field;
  const fault = fieldErrorSentence(refused, name, language);
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const notes = html`!${hint ? html`<span class="quiet" id="${`${name}-hint`}">${hint}</span>` : ''}
!${fault ? html`<span class="fault" id="${`${name}-fault`}">${fault}</span>` : ''}`;
  const description = described ? html`aria-describedby="${described}"` : '';
  if (field.options) return choiceOf(field, refused, { notes, description });
  const state = html`!${fault ? 'aria-invalid="true"' : ''} !${description}`;
  const kept = type === 'password' ? '' : (refused?.form.get(name) ?? field.value ?? '');
  const common = html`id="${name}" name="${name}" autocomplete="${autocomplete}" !${optional ? '' : 'required'} !${state}`;
  const control =
    type === 'long'
      ? html`<textarea !${common} rows="4">${kept}</textarea>`
      : html`<input !${common} type="${type}" value="${kept}" !${type === 'number' ? 'step="any"' : ''} !${inputmode ? html`inputmode="${inputmode}"` : ''}>`;
  return html`<p class="field"><label for="${name}">${label}</label>
!${notes}
!${control}</p>`;
}

/** Options below each other. A browser cannot ask for at least one of several, so those are asked for by the answer. */
function choiceOf(
  { name, label, type, options, value, optional = false }: Field & ChoiceField,
  refused: Refused | undefined,
  { notes, description }: { notes: string; description: string },
): string {
  const kept = refused?.form.all(name) ?? (value === undefined ? [] : [value]);
  const isOne = type === 'one';
  const rows = options.map((option, index) => {
    const id = `${name}-${index}`;
    const control = html`<input type="${isOne ? 'radio' : 'checkbox'}" id="${id}" name="${name}" value="${option.value}" !${isOne && !optional ? 'required' : ''} !${kept.includes(option.value) ? 'checked' : ''}>`;
    return html`<p class="choice">!${control}<label for="${id}">!${option.html ?? html`${option.label}`}</label></p>`;
  });
  return html`<fieldset class="choices" !${description}><legend>${label}</legend>
!${notes}
!${rows.join('\n')}
</fieldset>`;
}

/** What a form sent, checked as the API checks it. Errors: `validation_failed` with every fault. */
export function parsed<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidAll(fieldErrorsOf(result.error, 'body', input));
}
