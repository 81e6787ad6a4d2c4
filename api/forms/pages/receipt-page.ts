import { html } from 'ghtml';
import { claimableFiles, fileIdsIn } from '../../../shared/forms/files/claim.ts';
import { FILES_OF_RESPONSE } from '../../../shared/forms/files/record.ts';
import { editResponse, receiptOf } from '../../../shared/forms/responses/edit.ts';
import { receiptLinks } from '../../../shared/forms/responses/links.ts';
import { formOfResponse } from '../../../shared/forms/responses/version-of.ts';
import { todayIn } from '../../../shared/kernel/days.ts';
import { notFound } from '../../../shared/kernel/failure.ts';
import { languageFor } from '../../pages/kit/language-for.ts';
import type { Form, Go, LinkedPage, LinkedVisit, Refused, View } from '../../pages/kit/page.ts';
import { failureSentence } from '../../pages/kit/words.ts';
import { answersView } from './answers-view.ts';
import { endingView } from './ending-view.ts';
import { type Filled, firstStep, showStep } from './fill.ts';
import { moveFrom, stepWith } from './flow.ts';
import { framed } from './frame.ts';
import { judging } from './judging.ts';
import { refusedFiles } from './refusals.ts';
import { given, sentIn } from './sent.ts';
import { compiledOf, siteOf, timeIn } from './site.ts';
import { takesUploads, type Uploading } from './take-upload.ts';
import { words } from './words.ts';

const FORM_BYTES = 12 * 1024 * 1024;
const HOUR = 60 * 60_000;

/** Where somebody sees that a form was sent, and changes the answers while the form allows that. */
export const receiptPage: LinkedPage = {
  path: '/f/r/:token',
  opened_by: {
    purpose: receiptLinks,
    for_guests: true,
    advice: { ja: words.ja.ended_advice, en: words.en.ended_advice },
  },
  hears: ['Accept-Language'],
  form_bytes: FORM_BYTES,
  files_bytes: FILES_OF_RESPONSE,
  take_file: takesUploads(uploading),
  show,
  submit,
};

type Receipt = Awaited<ReturnType<typeof read>>;

/** The receipt with the files that its answers have, and those that a form which was sent names besides. */
function read({ steps, opened }: LinkedVisit, form?: Form) {
  return steps.read(async (reader) => {
    const inside = { ...reader, organization_id: opened.organization_id };
    const receipt = await receiptOf(inside, opened.record_id);
    const { answered, claimant } = await formOfResponse(inside, opened.record_id);
    const compiled = compiledOf(answered);
    const data = receipt.response?.data ?? {};
    const sent = form ? sentIn(form, compiled.schema).answers : {};
    const files = await claimableFiles(inside, claimant, [...fileIdsIn(data), ...fileIdsIn(sent)]);
    return { ...receipt, data, answered, claimant, files, compiled, site: await siteOf(inside) };
  });
}

/** Whose files are taken while the answers may be changed. Errors: `not_found`. */
async function uploading(visit: LinkedVisit): Promise<Uploading> {
  const { response, answered, claimant } = await read(visit);
  const { nonce_hash, form_id } = claimant;
  if (response === null || nonce_hash === null) throw notFound();
  const { organization_id } = visit.opened;
  const { version, settings } = answered;
  const { per_address } = settings.spam;
  return { organization_id, form_id, version: version!.number, nonce_hash, per_address };
}

async function show(visit: LinkedVisit, refused?: Refused): Promise<View> {
  const receipt = await read(visit, refused?.form);
  const { response, compiled, answered } = receipt;
  const language = languageFor(visit, compiled.schema.locale);
  if (response !== null && (refused || visit.query('edit') !== '')) return editing(visit, receipt, refused);
  const { title, body } = endingView(receipt.ending, language);
  const say = words[language];
  const isChanged = visit.query('changed') !== '' ? html`<p role="status">${say.changed}</p>` : '';
  const own =
    response === null
      ? ''
      : html`<h2>${say.answers}</h2>
!${answersView(compiled.schema, receipt.data, { language, files: [...receipt.files.values()] })}
<p><a href="${addressOf(visit, { edit: '1' })}">${say.edit}</a> <span class="quiet">${say.edit_until(endOf(receipt, language))}</span></p>`;
  const look = { ...receipt.site, embed_origins: answered.settings.embed_origins, schema: null };
  const whole = html`<div class="questions">!${isChanged}!${body}!${own}</div>`;
  return framed(look, { title, body: whole, language });
}

function endOf({ answered: { settings }, response }: Receipt, language: 'ja' | 'en'): string {
  const end = new Date(Date.parse(response!.submitted_at) + settings.allow_edit_hours * HOUR);
  return timeIn(settings.time_zone, end.toISOString(), language);
}

function filledOf(visit: LinkedVisit, { compiled, answered, site, files }: Receipt): Filled {
  const language = languageFor(visit, compiled.schema.locale);
  const { settings, version } = answered;
  return {
    language,
    schema: compiled.schema,
    plan: compiled.plan,
    title: version!.title,
    look: { ...site, embed_origins: settings.embed_origins },
    judge: judging(compiled, { today: todayIn(settings.time_zone, visit.steps.caller.now), files }),
    action: addressOf(visit, { edit: '1' }),
    sent: {},
    guard: null,
    may_save: false,
    end: words[language].change,
    note: '',
    kept: { edit: '1' },
  };
}

function editing(visit: LinkedVisit, receipt: Receipt, refused?: Refused): View {
  const filled = filledOf(visit, receipt);
  const files = [...receipt.files.values()];
  if (!refused) {
    const riding = { answers: receipt.data, hidden: {} };
    return showStep(filled, { ...riding, step: firstStep(filled, riding), files });
  }
  const { failure, form } = refused;
  const { schema } = receipt.compiled;
  const sent = sentIn(form, schema);
  const place = stepWith(schema.pages, filled.judge(sent), failure.details.errors ?? []);
  const told = words[filled.language].refused[failure.code] ?? failureSentence(failure, filled.language);
  return showStep(filled, { ...sent, ...place, files, told });
}

async function submit(visit: LinkedVisit, form: Form): Promise<View | Go> {
  const receipt = await read(visit, form);
  if (receipt.response === null) throw notFound();
  const filled = filledOf(visit, receipt);
  const { schema } = receipt.compiled;
  const sent = sentIn(form, schema);
  const move = moveFrom(schema.pages, sent, filled.judge, refusedFiles(form, schema));
  if (move.to === 'step') return showStep(filled, { ...sent, ...move, files: [...receipt.files.values()] });
  const { organization_id, record_id } = visit.opened;
  await visit.steps.write({ organization_id, may_change_nothing: true }, (work) =>
    editResponse(work, record_id, given(sent.answers)),
  );
  return { to: addressOf(visit, { changed: '1' }) };
}

function addressOf({ asked_language, path }: LinkedVisit, more: Record<string, string>): string {
  return `${path}?${new URLSearchParams({ ...(asked_language && { lang: asked_language }), ...more })}`;
}
