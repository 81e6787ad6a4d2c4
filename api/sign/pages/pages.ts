import { Failure } from '../../../shared/kernel/failure.ts';
import { openAccess } from '../../../shared/sign/guests/access.ts';
import { askForCode } from '../../../shared/sign/guests/codes.ts';
import { declineDocument } from '../../../shared/sign/guests/decline.ts';
import { forwardDocument } from '../../../shared/sign/guests/forward.ts';
import { DeclineInput, ForwardInput } from '../../../shared/sign/guests/record.ts';
import { seenBy } from '../../../shared/sign/guests/seen.ts';
import { signingOf } from '../../../shared/sign/guests/shown.ts';
import { signLinks } from '../../../shared/sign/links/links.ts';
import { parsed } from '../../pages/kit/fields.ts';
import type { Form, Go, LinkedPage, LinkedVisit, Page, Refused, View } from '../../pages/kit/page.ts';
import { accessCookies } from '../access-cookie.ts';
import { accessSteps } from '../guest.ts';
import { asksFor } from './access.ts';

import { forwardedView } from './others.ts';
import { pdfPage } from './pdf.ts';
import { shownFrom } from './shown.ts';
import { signByForm } from './sign-by-form.ts';
import { signingView } from './signing.ts';
import { verifyPage } from './verify.ts';
import { guestAt, writeAsGuest } from './visitor.ts';

/** Bytes of a form with its images: three of 256 KiB, and what was kept of them. */
const FORM_BYTES = 8 * 1024 * 1024;

/** Where a signer opens a document, fills it in, and signs or declines it. */
const signingPage: LinkedPage = {
  path: '/sign/:token',
  opened_by: { purpose: signLinks, for_guests: true },
  form_bytes: FORM_BYTES,
  takes_files: true,
  show,
  submit,
};

/** What people open who are asked to sign, or have got a signed file. */
export const signPages: readonly Page[] = [signingPage, pdfPage, verifyPage];

async function show(visit: LinkedVisit, refused?: Refused): Promise<View> {
  const guest = guestAt(visit);
  const { signing, seen } = await visit.steps.read(async (reader) => ({
    signing: await signingOf(reader, guest),
    seen: await seenBy(reader, guest),
  }));
  const language = visit.asked_language ?? seen.locale;
  return {
    ...signingView({ ...visit, language }, shownFrom(signing, seen.time_zone), refused),
    language,
  };
}

type Answer = (visit: LinkedVisit, form: Form) => Promise<View | Go>;

/** What each form of the page does, by its action. */
const answers: Readonly<Record<string, Answer>> = {
  async send_code(visit) {
    await writeAsGuest(visit, (work) => askForCode(work, guestAt(visit)));
    const { asked_language, path } = visit;
    const query = new URLSearchParams({ ...(asked_language && { lang: asked_language }), code: 'sent' });
    return { to: `${path}?${query}` };
  },
  async open(visit, form) {
    const guest = guestAt(visit);
    const { auth } = await visit.steps.read((reader) => seenBy(reader, guest));
    const asked = asksFor[auth];
    const access_token = await openAccess(accessSteps(visit.steps), guest, {
      ...(asked.code && { access_code: form.get('access_code') }),
      ...(asked.mailed && { otp: form.get('otp') }),
    });
    return {
      to: visit.link(visit.path),
      cookies: accessCookies(visit.param, access_token, visit.steps.context.settings.baseUrl),
    };
  },
  async sign(visit, form) {
    await signByForm(visit, form);
    return { to: visit.link(visit.path) };
  },
  async decline(visit, form) {
    const { reason } = parsed(DeclineInput, { reason: textIn(form, 'reason') });
    await writeAsGuest(visit, (work) => declineDocument(work, guestAt(visit), reason));
    return { to: visit.link(visit.path) };
  },
  async forward(visit, form) {
    const input = parsed(ForwardInput, { name: textIn(form, 'name'), email: textIn(form, 'email') });
    const guest = guestAt(visit);
    const seen = await visit.steps.read((reader) => seenBy(reader, guest));
    await writeAsGuest(visit, (work) => forwardDocument(work, guest, input));
    // The link is dead now: there is no page to go to.
    return forwardedView(visit.asked_language ?? seen.locale, seen);
  },
};

/** What was typed; an empty field is one that was left empty. */
function textIn(form: Form, name: string): string | undefined {
  return form.get(name).replaceAll('\r\n', '\n').trim() || undefined;
}

async function submit(visit: LinkedVisit, form: Form): Promise<View | Go> {
  const answer = Object.hasOwn(answers, form.get('action')) ? answers[form.get('action')] : undefined;
  if (!answer) throw new Failure('validation_failed');
  return answer(visit, form);
}
