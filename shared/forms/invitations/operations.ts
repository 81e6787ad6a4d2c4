import { randomBytes } from 'node:crypto';
import { Failure, invalid, invalidAll, notFound } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { emailKey } from '../../mail/email-key.ts';
import { usableKey } from '../../platform/links/keys.ts';
import { tokensOfNewRecords } from '../../platform/links/new-record.ts';
import { sendMailJob } from '../../platform/mailer/jobs.ts';
import { type MailLimits, takeRecipients } from '../../platform/mailer/mail-limits.ts';
import { addMails } from '../../platform/mailer/queue-mail.ts';
import { compiledForm } from '../answers/compiled.ts';
import { readHidden } from '../answers/judge.ts';
import { formForUpdate } from '../forms/queries.ts';
import type { Form } from '../forms/record.ts';
import { formsShown } from '../forms/shown.ts';
import { languageOfSchema } from '../told/fields.ts';
import { versionOf } from '../versions/queries.ts';
import { invitationLinks, invitationUrl } from './links.ts';
import { invitationMail } from './mail.ts';
import { type FormInvitation, InvitationModel, type InvitationsInput, invitationFacts } from './record.ts';
import { type InvitationRow, invitationColumns, invitationOf, invitationsOf } from './rows.ts';

/** An invitation with its address, which is answered this once. */
export type NewInvitation = FormInvitation & { url: string };

/**
 * Invites people to answer a published form, each by an address of their own, and mails it to them where `send` says so: in
 * as many statements for a thousand as for one. Errors: `not_found`, `form_draft`, `form_closed`, `validation_failed` for an end
 * that has passed and hidden values that the form has not, `rate_limited` where these are more recipients than the organization may mail now. Locks: the form, then
 * the organization where mails leave.
 */
export async function inviteToForm(
  work: Work,
  form_id: string,
  { recipients, send, expires_at: asked_end }: InvitationsInput,
  { base_url, mail_limits }: { base_url: string; mail_limits: MailLimits },
): Promise<NewInvitation[]> {
  const stored = await formForUpdate(work, form_id);
  const { form } = stored;
  if (form.status === 'draft') throw new Failure('form_draft');
  if (form.status === 'archived') throw new Failure('form_closed');
  const until = asked_end === null ? null : new Date(asked_end);
  if (until !== null && until <= work.now) {
    throw invalid('/expires_at', 'in_the_past', {
      en: 'must lie ahead',
      ja: 'には現在より後の日時を指定してください',
    });
  }
  const hiddens = await hiddenValues(work, form, recipients);
  const locale = languageOfSchema(form.schema_json);
  const created_at = work.now.toISOString();
  const ids = recipients.map(() => newId('finv', work.now));
  const abouts = ids.map((invitation_id) => ({ invitation_id }));
  const mail_ids = send ? addMails(work, { purpose: invitationMail, abouts, locale }) : [];
  const rows: InvitationRow[] = recipients.map(({ email, name }, place) => ({
    id: ids[place]!,
    form_id,
    email,
    name,
    hidden: hiddens[place]!,
    mail_id: mail_ids[place] ?? null,
    expires_at: until?.toISOString() ?? null,
    revoked_at: null,
    created_by: work.actor.user_id,
    created_at,
    updated_at: created_at,
  }));
  work.insertAll(
    InvitationModel,
    rows.map((row, place) => ({ ...row, email_key: emailKey(recipients[place]!.email) })),
  );
  const key = await usableKey(work, invitationLinks.name, () => randomBytes(32));
  const { public_url } = (await formsShown(work, base_url))(stored);
  const tokens = tokensOfNewRecords(work, invitationLinks, key, { record_ids: ids, until });
  const made = rows.map((row, place) => {
    const invitation = invitationOf(row, { delivery: send ? 'queued' : 'none', response_id: null });
    return { ...invitation, url: invitationUrl(public_url, tokens[place]!) };
  });
  for (const { url: _, ...after } of made) work.record(invitationFacts.created, { before: null, after });
  for (const mail_id of mail_ids) work.enqueue(sendMailJob, { mail_id });
  if (send) await takeRecipients(work, rows.length, mail_limits);
  return made;
}

/**
 * The hidden values of each recipient as they are stored, judged by the published version: a response that is given to another one
 * leaves out those that it lacks. Errors: `validation_failed` at their names.
 */
async function hiddenValues(
  work: Work,
  { id, published_version }: Form,
  recipients: InvitationsInput['recipients'],
): Promise<Record<string, string>[]> {
  const { schema_json, sha256 } = await versionOf(work, id, published_version!);
  const compiled = compiledForm(schema_json, sha256);
  const read = recipients.map(({ hidden }) => readHidden(compiled, hidden));
  const errors = read.flatMap((each, place) =>
    each.errors.map((error) => ({ ...error, path: `/recipients/${place}${error.path}` })),
  );
  if (errors.length > 0) throw invalidAll(errors);
  return read.map(({ values }) => values);
}

/**
 * Takes an invitation back: its address opens nothing any more. What was answered by it stays, and it stays in the list with
 * `revoked_at`. Errors: `not_found`, also for one that was taken back; `precondition_failed`. Locks: the invitation.
 */
export async function revokeInvitation(work: Work, form_id: string, id: string): Promise<void> {
  const [row] = await work.connection.query<InvitationRow>(
    `SELECT ${invitationColumns.join(', ')} FROM forms_invitations
      WHERE organization_id = $1 AND form_id = $2 AND id = $3 AND revoked_at IS NULL FOR UPDATE`,
    [work.organization_id, form_id, id],
  );
  if (!row) throw notFound();
  work.precondition(row);
  const [before] = (await invitationsOf(work, [row])) as [FormInvitation];
  const after = { ...before, revoked_at: work.now.toISOString() };
  work.update(InvitationModel, id, { revoked_at: after.revoked_at, updated_at: work.touch(row) });
  work.record(invitationFacts.deleted, { before, after });
}
