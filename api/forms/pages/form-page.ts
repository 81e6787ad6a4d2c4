import { statusOf } from '../../http/failure-status.ts';
import type { Form, Go, PlainPage, Refused, View, Visit } from '../../pages/kit/page.ts';
import { failureSentence } from '../../pages/kit/words.ts';
import { closedView } from './closed-view.ts';
import { firstStep, showStep, titleOf } from './fill.ts';
import { moveFrom, stepWith } from './flow.ts';
import { framed } from './frame.ts';
import { filledOf, type Opened, opened, openedBy } from './opened.ts';
import { refusedFiles } from './refusals.ts';
import { filledBy, sentIn } from './sent.ts';
import { sentBefore } from './sent-before.ts';
import { languageFor } from './site.ts';
import { submitByForm } from './submit-by-form.ts';
import { takeUpload } from './take-upload.ts';
import { words } from './words.ts';

/** Bytes of a form without its files: a response of 1 MiB as forms write Japanese, once more as it rides along. */
const FORM_BYTES = 12 * 1024 * 1024;

/** Bytes that the files of one response may have. */
const FILES_BYTES = 100 * 1024 * 1024;

/** Where guests fill in a form, step by step. */
export const formPage: PlainPage = {
  path: '/f/:orgSlug/:formSlug',
  of_organization: true,
  is_indexed: true,
  hears: ['Accept-Language'],
  form_bytes: FORM_BYTES,
  files_bytes: FILES_BYTES,
  take_file: takeUpload,
  show,
  submit,
};

async function show(visit: Visit, refused?: Refused): Promise<View | Go> {
  if (refused) return showRefused(visit, refused);
  const page = await opened(visit);
  if ('moved_to' in page) return { to: page.moved_to, has_moved: true };
  if (!page.issued) return closed(visit, page);
  const filled = filledOf(visit, page, page.issued, new Map());
  const riding = filledBy(visit, page.compiled.schema);
  return showStep(filled, { ...riding, step: firstStep(filled, riding), files: [] });
}

/** Why the form cannot be filled in: 200, since that is all there is to say. */
function closed(visit: Visit, { answered, accepting, site, compiled }: Opened): View {
  const { schema } = compiled;
  const language = languageFor(visit, schema.locale);
  const title = titleOf(schema, answered.version!.title, language);
  const look = { ...site, embed_origins: answered.settings.embed_origins, schema };
  const body = closedView(title, accepting, answered.settings, language);
  return framed(look, { title, body, language });
}

/** The step that was sent, with the sentence of what stands in its way. */
async function showRefused(visit: Visit, { failure, form }: Refused): Promise<View | Go> {
  const page = await openedBy(visit, form);
  if (!page.issued) return closed(visit, page);
  const { schema } = page.compiled;
  const sent = sentIn(form, schema);
  const whole = filledOf(visit, page, page.issued, page.files);
  const { language } = whole;
  const isSent = failure.code === 'already_submitted';
  const filled = isSent ? { ...whole, note: await sentBefore(visit, form, whole) } : whole;
  const told = words[language].refused[failure.code] ?? failureSentence(failure, language);
  const errors = failure.details.errors ?? [];
  const place = stepWith(schema.pages, filled.judge(sent), errors);
  return showStep(filled, {
    ...sent,
    ...place,
    files: [...page.files.values()],
    told,
    status: statusOf(failure),
  });
}

async function submit(visit: Visit, form: Form): Promise<View | Go> {
  const page = await openedBy(visit, form);
  if (!page.issued) return closed(visit, page);
  const { schema } = page.compiled;
  const filled = filledOf(visit, page, page.issued, page.files);
  const files = [...page.files.values()];
  const sent = sentIn(form, schema);
  if (page.is_anew) {
    const riding = { hidden: sent.hidden, answers: page.fitting(sent.answers) };
    const told = words[filled.language].anew;
    return showStep(filled, { ...riding, step: firstStep(filled, riding), files, told, status: 422 });
  }
  const move = moveFrom(schema.pages, sent, filled.judge, refusedFiles(form, schema));
  if (move.to === 'step') return showStep(filled, { ...sent, ...move, files });
  return submitByForm(visit, form, sent, filled);
}
