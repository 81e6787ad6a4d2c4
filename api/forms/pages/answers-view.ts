import { html } from 'ghtml';
import type { Field, Schema } from '../../../shared/forms/schema/schema.ts';
import { answerText } from '../../../shared/forms/told/answer.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { type AttachedFile, listOf, partOf, textOf } from './inputs/filling.ts';
import { textIn } from './texts.ts';
import { words } from './words.ts';

/** The answers of a response, each below its question, in the order of the form. */
export function answersView(
  schema: Schema,
  data: Record<string, unknown>,
  { language, files }: { language: Language; files: readonly AttachedFile[] },
): string {
  const fields = schema.pages.flatMap((page): readonly Field[] => page.fields);
  const answered = fields.filter(({ id }) => Object.hasOwn(data, id));
  const rows = answered.map((field) => {
    const lines = linesOf(field, data[field.id], { language, files });
    return html`<dt>${textIn(field.label, language)}</dt><dd class="lines">${lines.join('\n')}</dd>`;
  });
  return html`<dl class="answers">!${rows.join('\n')}</dl>`;
}

type Telling = { language: Language; files: readonly AttachedFile[] };

function linesOf(field: Field, value: unknown, { language, files }: Telling): string[] {
  const say = words[language];
  const labelIn = (options: readonly { id: string; label: Parameters<typeof textIn>[0] }[], id: unknown) => {
    const found = options.find((option) => option.id === id);
    return found ? textIn(found.label, language) : textOf(partOf(id, 'other'));
  };
  switch (field.type) {
    case 'choice':
    case 'dropdown':
      return [labelIn(field.options, value)];
    case 'multi_choice':
    case 'ranking':
      return listOf(value).map((each) => labelIn(field.options, each));
    case 'yes_no':
      return [value === true ? say.yes : say.no];
    case 'consent':
      return [say.consent];
    case 'matrix':
      return field.rows.flatMap((row) => {
        const chosen = partOf(value, row.id);
        const columns = chosen === undefined ? [] : Array.isArray(chosen) ? chosen : [chosen];
        const labels = columns.map((column) => labelIn(field.columns, column));
        return labels.length > 0 ? [`${textIn(row.label, language)}: ${labels.join(', ')}`] : [];
      });
    case 'name':
    case 'address':
      return [answerText(field, value, language)];
    case 'file':
      return files.filter(({ id }) => listOf(value).includes(id)).map(({ file_name }) => file_name);
    default:
      return [textOf(value)];
  }
}
