import { requireAccepting } from '../../../shared/forms/responses/accept.ts';
import { visited } from '../../../shared/forms/visits/visited.ts';
import type { Failure } from '../../../shared/kernel/failure.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import { statusOf } from '../../http/failure-status.ts';
import type { Form, Go, PlainPage, Refused, View, Visit } from '../../pages/kit/page.ts';
import { failureSentence } from '../../pages/kit/words.ts';
import { closed } from './closed-view.ts';
import { type Filled, firstStep, showStep } from './fill.ts';
import { moveFrom, stepWith } from './flow.ts';
import { tellingOfInvitations } from './invited.ts';
import { filledOf, opened, openedBy } from './opened.ts';
import { countSeen, ridingSeen, seenWith } from './pages-seen.ts';
import { refusedFiles } from './refusals.ts';
import { ridingLink, saveByForm } from './save-by-form.ts';
import { filledBy, sentIn } from './sent.ts';
import { sentBefore } from './sent-before.ts';
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

function show(visit: Visit, refused?: Refused): Promise<View | Go> {
  return tellingOfInvitations(visit, () => (refused ? showRefused(visit, refused) : showFirst(visit)));
}

async function showFirst(visit: Visit): Promise<View | Go> {
  const page = await opened(visit);
  if ('moved_to' in page) return { to: page.moved_to, has_moved: true };
  if (!page.issued) return closed(visit, page);
  const filled = filledOf(visit, page, page.issued, new Map());
  const given = filledBy(visit, page.compiled.schema);
  visited(visit.steps.context.tallies, page.answered.form, { view: true });
  return showStep(filled, { ...given, step: firstStep(filled, given), files: [] });
}

/** The step that was sent, with the sentence of what stands in its way. */
async function showRefused(visit: Visit, { failure, form }: Refused): Promise<View | Go> {
  const page = await openedBy(visit, form);
  if (!page.issued) return closed(visit, page);
  const { schema } = page.compiled;
  const sent = sentIn(form, schema);
  const whole = riding(
    filledOf(visit, page, page.issued, page.files),
    form,
    seenWith(form, schema, [sent.step.page_id]),
  );
  const { language } = whole;
  const isSent = failure.code === 'already_submitted';
  const filled = isSent ? { ...whole, note: await sentBefore(visit, form, whole) } : whole;
  const told = sentenceOf(failure, language);
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

function sentenceOf(failure: Failure, language: Language): string {
  const { refused, invitation } = words[language];
  // The form is there: what is not is the invitation that it is answered by.
  if (failure.code === 'not_found') return invitation.ended.text;
  return refused[failure.code] ?? failureSentence(failure, language);
}

async function submit(visit: Visit, form: Form): Promise<View | Go> {
  const page = await openedBy(visit, form);
  if (!page.issued) return closed(visit, page);
  const { schema } = page.compiled;
  const before = seenWith(form, schema);
  const filled = riding(filledOf(visit, page, page.issued, page.files), form, before);
  const files = [...page.files.values()];
  const sent = sentIn(form, schema);
  if (page.is_anew) {
    const kept = { hidden: sent.hidden, answers: page.fitting(sent.answers) };
    const told = words[filled.language].anew;
    return showStep(filled, { ...kept, step: firstStep(filled, kept), files, told, status: 422 });
  }
  const refused = refusedFiles(form, schema);
  // No file is taken by a form that takes no response: that is said, and not of the files.
  if (refused.length > 0) requireAccepting(page.answered, visit.steps.caller.now);
  if (sent.action === 'save') {
    countSeen(visit, page.answered.form.id, { before, now: seenWith(form, schema, [sent.step.page_id]) });
    if (refused.length > 0) return showStep(filled, { ...sent, errors: refused, files });
    return saveByForm(visit, form, sent, filled);
  }
  const move = moveFrom(schema.pages, sent, filled.judge, refused);
  const places = move.to === 'step' ? [sent.step, move.step] : [sent.step];
  const now = seenWith(
    form,
    schema,
    places.map(({ page_id }) => page_id),
  );
  countSeen(visit, page.answered.form.id, { before, now });
  if (move.to === 'step') return showStep(riding(filled, form, now), { ...sent, ...move, files });
  return submitByForm(visit, form, sent, filled);
}

/** The form with what rides along beside the answers: the pages that were seen, and the link that it was resumed by. */
function riding(filled: Filled, form: Form, seen: ReadonlySet<string>): Filled {
  return { ...filled, sent: { ...filled.sent, ...ridingSeen(seen), ...ridingLink(form.get('resumed')) } };
}
