import { hash } from 'node:crypto';
import { html } from 'ghtml';
import { compiledForm } from '../../../shared/forms/answers/compiled.ts';
import { fileIdsIn } from '../../../shared/forms/files/claim.ts';
import { FILES_OF_RESPONSE } from '../../../shared/forms/files/record.ts';
import { storedForm } from '../../../shared/forms/forms/queries.ts';
import { previewLinks } from '../../../shared/forms/preview/links.ts';
import { endingOf } from '../../../shared/forms/responses/answered.ts';
import { parseSchema } from '../../../shared/forms/schema/parse.ts';
import { publishFaults } from '../../../shared/forms/schema/publish.ts';
import { todayIn } from '../../../shared/kernel/days.ts';
import { invalidAll } from '../../../shared/kernel/failure.ts';
import { languageFor } from '../../pages/kit/language-for.ts';
import type { Form, LinkedPage, LinkedVisit, View } from '../../pages/kit/page.ts';
import { endingView } from './ending-view.ts';
import { type Filled, firstStep, showStep } from './fill.ts';
import { moveFrom } from './flow.ts';
import { framed } from './frame.ts';
import { judging } from './judging.ts';
import type { Answers } from './read.ts';
import { filledBy, sentIn } from './sent.ts';
import { siteOf } from './site.ts';
import { words } from './words.ts';

const FORM_BYTES = 12 * 1024 * 1024;

/** Begins what stands for a file whose bytes were thrown away; its name follows. */
const STANDING = 'ffile_';

/**
 * The working copy of a form on its real page: what is sent is judged and thrown away, of files all but the name. One that cannot
 * be published cannot be shown.
 */
export const previewPage: LinkedPage = {
  path: '/f/preview/:token',
  opened_by: { purpose: previewLinks, for_guests: true },
  hears: ['Accept-Language'],
  form_bytes: FORM_BYTES,
  files_bytes: FILES_OF_RESPONSE,
  take_file: async (_visit, { file }) => {
    for await (const _ of file.body);
    return STANDING + Buffer.from(file.file_name).toString('base64url');
  },
  show,
  submit,
};

async function opened(visit: LinkedVisit, form?: Form) {
  const { organization_id, record_id } = visit.opened;
  const { stored, site } = await visit.steps.read(async (reader) => {
    const inside = { ...reader, organization_id };
    return { stored: await storedForm(inside, record_id), site: await siteOf(inside) };
  });
  const { schema_json, title } = stored.form;
  const parsed = parseSchema(schema_json);
  const faults = 'faults' in parsed ? parsed.faults : publishFaults(parsed.schema);
  if (faults.length > 0) throw invalidAll(faults);
  const compiled = compiledForm(schema_json, hash('sha256', schema_json));
  const language = languageFor(visit, compiled.schema.locale);
  const files = form ? standingFiles(sentIn(form, compiled.schema).answers) : new Map<string, never>();
  const today = todayIn(stored.settings.time_zone, visit.steps.caller.now);
  const filled: Filled = {
    language,
    schema: compiled.schema,
    plan: compiled.plan,
    title,
    look: { ...site, embed_origins: [] },
    judge: judging(compiled, { today, files }),
    action: visit.link(visit.path),
    sent: {},
    guard: null,
    may_save: false,
    end: words[language].submit,
    note: html`<p class="quiet">${words[language].preview}</p>`,
  };
  return { filled, compiled, files: [...files.values()] };
}

/** What stands for files among the answers, as the files of their fields. */
function standingFiles(answers: Answers) {
  const named = Object.entries(answers).flatMap(([field_id, answer]) =>
    fileIdsIn({ answer }).map((id) => {
      const file_name = Buffer.from(id.slice(STANDING.length), 'base64url').toString();
      return [id, { id, field_id, file_name }] as const;
    }),
  );
  return new Map(named);
}

async function show(visit: LinkedVisit): Promise<View> {
  const { filled, compiled } = await opened(visit);
  const riding = filledBy(visit, compiled.schema);
  return showStep(filled, { ...riding, step: firstStep(filled, riding), files: [] });
}

async function submit(visit: LinkedVisit, form: Form): Promise<View> {
  const { filled, compiled, files } = await opened(visit, form);
  const { schema } = compiled;
  const sent = sentIn(form, schema);
  const move = moveFrom(schema.pages, sent, filled.judge, []);
  if (move.to === 'step') return showStep(filled, { ...sent, ...move, files });
  const { language, look } = filled;
  const ending = endingOf(compiled, filled.judge(sent).ending_id);
  const { title, body } = endingView(ending, language);
  const note = html`<p role="status">${words[language].preview_done}</p>`;
  return framed(
    { ...look, schema },
    { title, body: html`<div class="questions">!${note}!${body}</div>`, language },
  );
}
