import { html } from 'ghtml';
import type { z } from 'zod';
import { type Failure, invalidAll } from '../../../shared/kernel/failure.ts';
import { statusOf } from '../../http/failure-status.ts';
import { fieldErrorsOf } from '../../http/field-errors.ts';
import { TOKEN_FIELD } from './guard.ts';
import type { Language, Refused, Visit } from './visit.ts';
import { faultOf, sentenceOf, words } from './words.ts';

export type Field = {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'date';
  autocomplete: string;
  hint?: string;
  value?: string;
  optional?: boolean;
};

/** A form of this page with its fields and one button. `note` stands above the fields. */
export function form(
  { path, link, language, form_token }: Visit,
  { fields, button, refused, action = path, note = '', after = '' }: FormParts,
): string {
  return html`<form method="post" action="${link(action)}">
!${hidden(TOKEN_FIELD, form_token)}
!${alert(refused, language)}
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
  const fields = Object.entries({ [TOKEN_FIELD]: form_token, ...more }).map(([name, value]) =>
    hidden(name, value),
  );
  const spoken = about ? html` aria-label="${`${label}: ${about}`}"` : '';
  return html`<form method="post" action="${link(action)}" class="inline">!${fields.join('')}<button type="submit" class="plain"!${spoken}>${label}</button></form>`;
}

function hidden(name: string, value: string): string {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** What was wrong with the form, told first. */
export function alert(refused: Refused | undefined, language: Language): string {
  if (!refused) return '';
  return html`<p class="alert" role="alert">${sentenceOf(refused.failure, language)}</p>`;
}

function fieldOf(field: Field, refused: Refused | undefined, language: Language): string {
  const { name, label, type = 'text', autocomplete, hint, optional = false } = field;
  const fault = faultOf(refused?.failure, name, language);
  const kept = type === 'password' ? '' : (refused?.form.get(name) ?? field.value ?? '');
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  return html`<p class="field"><label for="${name}">${label}</label>
!${hint ? html`<span class="quiet" id="${name}-hint">${hint}</span>` : ''}
!${fault ? html`<span class="fault" id="${name}-fault">${fault}</span>` : ''}
<input id="${name}" name="${name}" type="${type}" value="${kept}" autocomplete="${autocomplete}" !${optional ? '' : 'required'} !${fault ? 'aria-invalid="true"' : ''} !${described ? html`aria-describedby="${described}"` : ''}></p>`;
}

/** The same page in the other language. */
export function languageLinks(path: string, language: Language): string {
  const other = language === 'ja' ? 'en' : 'ja';
  return html`<p class="languages"><a href="${`${path}?lang=${other}`}" lang="${other}" hreflang="${other}">${words[language].other_language}</a></p>`;
}

/** The heading of a page that shows a failure alone. */
export function troubleTitle(failure: Failure, language: Language): string {
  const status = statusOf(failure);
  if (language === 'ja') return status === 404 ? '見つかりません' : 'ご利用いただけません';
  return status === 404 ? 'Not found' : 'This did not work';
}

/** What a form sent, checked as the API checks it. Errors: `validation_failed` with every fault. */
export function parsed<Schema extends z.ZodType>(schema: Schema, input: object): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalidAll(fieldErrorsOf(result.error, 'body', input));
}
