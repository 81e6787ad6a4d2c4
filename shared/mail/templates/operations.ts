import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { blank } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import { gramsOf } from '../../platform/search/grams.ts';
import { searchText } from '../../platform/search/lines.ts';
import { foldCase } from '../../platform/search/normalise.ts';
import { namesIn } from '../content/placeholders.ts';
import { savedContents } from '../content/saved.ts';
import { lockTemplate } from './queries.ts';
import {
  type Template,
  type TemplateInput,
  TemplateModel,
  type TemplatePatch,
  templateFacts,
} from './record.ts';

/** Makes a template; HTML is cleaned. Errors: `already_exists`, `validation_failed` with `unknown_placeholder`. */
export function createTemplate(work: Work, input: TemplateInput): Template {
  const at = work.now.toISOString();
  const { external_id = null, metadata, ...contents } = input;
  const template = withContents({
    id: newId('mtpl', work.now),
    object: 'mail.template',
    ...blank(['subject', 'preheader', 'body_html', 'body_text']),
    ...contents,
    placeholders: [],
    external_id,
    metadata: metadataAfter({}, metadata),
    created_at: at,
    updated_at: at,
  });
  work.insert(TemplateModel, columnsOf(template));
  work.record(templateFacts.created, { before: null, after: template });
  return template;
}

/**
 * Changes the fields sent; campaigns that were made from it stay as they are. Errors: `not_found`, `precondition_failed`,
 * `already_exists`, `validation_failed` with `unknown_placeholder`.
 */
export async function updateTemplate(work: Work, id: string, patch: TemplatePatch): Promise<Template> {
  const before = await lockTemplate(work, id, 'change');
  work.precondition(before);
  const { metadata, ...fields } = patch;
  const changed = withContents({
    ...before,
    ...fields,
    metadata: metadataAfter(before.metadata, metadata),
  });
  if (work.isSame(templateFacts.updated, before, changed)) return before;
  const after = { ...changed, updated_at: work.touch(before) };
  const { id: _, created_at, ...columns } = columnsOf(after);
  work.update(TemplateModel, id, columns);
  work.record(templateFacts.updated, { before, after });
  return after;
}

/** Removes a template; campaigns that were made from it keep their contents. Errors: `not_found`, `precondition_failed`. */
export async function deleteTemplate(work: Work, id: string): Promise<void> {
  const before = await lockTemplate(work, id, 'removal');
  work.precondition(before);
  work.remove(TemplateModel, id);
  work.record(templateFacts.deleted, { before, after: null });
}

/** A template with its contents as they are saved, and the names that they hold. */
function withContents(template: Template): Template {
  const { warnings, ...saved } = savedContents(template, null);
  const { subject, preheader, body_html, body_text } = saved;
  return { ...saved, placeholders: namesIn([subject, preheader, body_html, body_text]) };
}

/** A template as a row; it is searched by name and subject. */
function columnsOf({ object, ...columns }: Template) {
  const search_text = searchText([columns.name, columns.subject]);
  return {
    ...columns,
    name_key: foldCase(columns.name),
    search_text,
    search_grams: gramsOf(search_text),
  };
}
