import type { CompiledForm } from '../../../shared/forms/answers/compiled.ts';
import { readAnswers } from '../../../shared/forms/answers/judge.ts';
import { claimableFiles, fileIdsIn } from '../../../shared/forms/files/claim.ts';
import type { ResponseFile } from '../../../shared/forms/files/record.ts';
import { acceptingOf, acceptingOfGuest } from '../../../shared/forms/forms/accepting.ts';
import { publishedForm } from '../../../shared/forms/forms/queries.ts';
import type { GuestAccepting } from '../../../shared/forms/forms/record.ts';
import type { AnsweredForm } from '../../../shared/forms/forms/rows.ts';
import {
  findInvitation,
  hiddenByInvitation,
  type OpenInvitation,
} from '../../../shared/forms/invitations/open.ts';
import { responseOfNonce } from '../../../shared/forms/responses/repeated.ts';
import { challengeOf } from '../../../shared/forms/spam/proof.ts';
import { type Issued, type IssuedToken, issueFormToken } from '../../../shared/forms/tokens/issue.ts';
import { signedFormToken } from '../../../shared/forms/tokens/open.ts';
import {
  FORM_TOKEN_LIFETIME,
  type FormToken,
  honeypotOf,
  nonceHash,
} from '../../../shared/forms/tokens/token.ts';
import { todayIn } from '../../../shared/kernel/days.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import { languageFor } from '../../pages/kit/language-for.ts';
import type { Form, Visit } from '../../pages/kit/page.ts';
import type { Filled } from './fill.ts';
import { judging } from './judging.ts';
import type { Answers } from './read.ts';
import { given, sentIn } from './sent.ts';
import { compiledOf, type Site, siteOf } from './site.ts';
import { words } from './words.ts';

/** A form that somebody opened; `issued` is null where it takes no responses now. */
export type Opened = {
  site: Site;
  answered: AnsweredForm;
  compiled: CompiledForm;
  accepting: GuestAccepting;
  issued: IssuedToken | null;
  /** The invitation that it is answered by, whose hidden values stand above those of the address. */
  invitation: OpenInvitation | null;
};

/** The same with what was sent for it. */
export type OpenedBy = Opened & {
  /** The files that were uploaded for it, by their IDs. */
  files: ReadonlyMap<string, ResponseFile>;
  /** Whether the form has a new token, because that which was sent can be used no more. */
  is_anew: boolean;
  /** The answers that still fit. */
  fitting(answers: Answers): Answers;
};

/**
 * The form of a page that is opened, with a token to fill it in by; where it has another slug by now, the address that it moved to.
 * Errors: `not_found`, also for an invitation that has ended; `already_answered`.
 */
export function opened(visit: Visit): Promise<Opened | { moved_to: string }> {
  const slug = visit.params['formSlug']!;
  return visit.steps.read(async (reader) => {
    const [answered, site] = await Promise.all([publishedForm(reader, slug), siteOf(reader)]);
    if (answered.form.slug !== slug)
      return { moved_to: `/f/${visit.params['orgSlug']}/${answered.form.slug}` };
    const asking = { invitation: visit.query('i') || null };
    const accepting = acceptingOfGuest(answered, reader.now, { is_invited: asking.invitation !== null });
    const issued = accepting.open ? await issueFormToken(reader, answered, asking) : NOT_ISSUED;
    return { site, answered, compiled: compiledOf(answered), accepting, ...issued };
  });
}

/**
 * The form that a step was sent for, by the version of its token. A token that has ended, or is none of this form, is replaced by one of the
 * present version; the nonce of one that was ours goes on. Errors: those of `opened`.
 */
export function openedBy(visit: Visit, form: Form): Promise<OpenedBy> {
  const slug = visit.params['formSlug']!;
  return visit.steps.read(async (reader) => {
    const text = form.get('form_token');
    const token = await signedFormToken(reader, text);
    const sent = await publishedForm(reader, slug, token?.version ?? null);
    const own = token?.form_id === sent.form.id && sent.version ? token : null;
    const accepting = acceptingOf(sent.form, sent.settings, sent.counts, reader.now);
    const isGood = own !== null && reader.now.getTime() < own.issued_at + FORM_TOKEN_LIFETIME;
    const answered = isGood ? sent : await publishedForm(reader, slug);
    const asking = { invitation: visit.query('i') || null, continues: own };
    const renewed = accepting.open && !isGood;
    const issued = renewed
      ? await issueFormToken(reader, answered, asking)
      : isGood
        ? { issued: issuedOf(own, text), invitation: await invitationOf(reader, own) }
        : NOT_ISSUED;
    const compiled = compiledOf(answered);
    const files = await filesOf(reader, own, fileIdsIn(sentIn(form, compiled.schema).answers));
    const today = todayIn(answered.settings.time_zone, reader.now);
    return {
      site: await siteOf(reader),
      answered,
      compiled,
      accepting,
      ...issued,
      files,
      is_anew: renewed,
      fitting: (answers) => fittingAnswers(compiled, answers, { today, files }),
    };
  });
}

/**
 * The files that a form which was sent may name: those of its token, and of the response that used that up, as a form names them that is
 * sent again.
 */
async function filesOf(
  reader: Reader,
  token: FormToken | null,
  named: readonly string[],
): Promise<ReadonlyMap<string, ResponseFile>> {
  if (token === null) return new Map();
  const claimant = { form_id: token.form_id, nonce_hash: nonceHash(token.nonce) };
  const files = await claimableFiles(reader, claimant, named);
  const before = files.size < named.length ? await responseOfNonce(reader, token) : undefined;
  return before ? claimableFiles(reader, { ...claimant, response_id: before.id }, named) : files;
}

/** The answers without those that have a fault of their own. */
export function fittingAnswers(
  compiled: CompiledForm,
  answers: Answers,
  given_by: Pick<Parameters<typeof readAnswers>[1], 'today' | 'files'>,
): Answers {
  const { faults } = readAnswers(compiled, { data: given(answers), ...given_by });
  return Object.fromEntries(Object.entries(answers).filter(([id]) => !faults.has(id)));
}

const NOT_ISSUED: { issued: null; invitation: null } = { issued: null, invitation: null };

/** The invitation of a token; null where it has none, or one that has ended since: that is said when the form is sent. */
async function invitationOf(
  reader: Reader,
  { form_id, invitation_id }: FormToken,
): Promise<Issued['invitation']> {
  if (invitation_id === null) return null;
  return (await findInvitation(reader, form_id, invitation_id))?.invitation ?? null;
}

function issuedOf({ nonce, is_challenged }: FormToken, form_token: string): IssuedToken {
  return { form_token, honeypot: honeypotOf(nonce), challenge: is_challenged ? challengeOf(nonce) : null };
}

/** The form as it is filled in on its page. */
export function filledOf(
  visit: Visit,
  { site, answered, compiled, invitation: invited }: Opened,
  issued: IssuedToken,
  files: ReadonlyMap<string, ResponseFile>,
): Filled {
  const { settings, version } = answered;
  const language = languageFor(visit, compiled.schema.locale);
  const invitation = visit.query('i');
  return {
    language,
    schema: compiled.schema,
    plan: compiled.plan,
    title: version!.title,
    look: { ...site, embed_origins: settings.embed_origins },
    judge: judging(compiled, {
      today: todayIn(settings.time_zone, visit.steps.caller.now),
      files,
      invited: hiddenByInvitation(compiled.schema, invited),
    }),
    action: addressOf(visit, `/f/${site.organization.slug}/${answered.form.slug}`),
    sent: { form_token: issued.form_token },
    guard: issued,
    may_save: settings.resume_days > 0,
    end: words[language].submit,
    note: '',
    is_invited: invitation !== '',
    kept: invitation === '' ? {} : { i: invitation },
  };
}

/** The address of a form's page, with the language and the invitation that it was opened with. */
function addressOf(visit: Visit, path: string): string {
  const invitation = visit.query('i');
  const query = new URLSearchParams({
    ...(visit.asked_language && { lang: visit.asked_language }),
    ...(invitation !== '' && { i: invitation }),
  });
  return query.size > 0 ? `${path}?${query}` : path;
}
