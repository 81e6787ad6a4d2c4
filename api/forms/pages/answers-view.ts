import { html } from 'ghtml';
import type { Field, Schema } from '../../../shared/forms/schema/schema.ts';
import { answerText } from '../../../shared/forms/told/answer.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { AttachedFile } from './inputs/filling.ts';
import { textIn } from './texts.ts';

/** The answers of a response, each below its question, in the order of the form; as mails tell them too. */
export function answersView(
  schema: Schema,
  data: Record<string, unknown>,
  { language, files }: { language: Language; files: readonly AttachedFile[] },
): string {
  const names = new Map(files.map(({ id, file_name }) => [id, file_name]));
  const fields = schema.pages.flatMap((page): readonly Field[] => page.fields);
  const answered = fields.filter(({ id }) => Object.hasOwn(data, id));
  const rows = answered.map((field) => {
    const answer = answerText(field, data[field.id], language, names);
    return html`<dt>${textIn(field.label, language)}</dt><dd class="lines">${answer}</dd>`;
  });
  return html`<dl class="answers">!${rows.join('\n')}</dl>`;
}
