import type { Fact } from '../../kernel/fact.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { formWithVersion } from '../forms/queries.ts';
import { effectsOf } from './effects.ts';
import { type FormResponse, ResponseModel, responseFacts, unflaggedFact } from './record.ts';

type Spam = { response: FormResponse; fact: Fact };

/**
 * Flags a response as spam, or takes it back from there. Flagging frees its place in the quota and its person, and undoes nothing
 * else. What was flagged when it was submitted is made up for when it is first taken back: event, CRM link, opt-in and mails, in
 * this commit. Answers the response as it is then, whose row the caller writes, and what happened. Errors: `form_full`,
 * `already_answered`. Locks: after the response those of `effectsOf`, then the form, its invitation and its counts.
 */
export async function setSpam(work: Work, before: FormResponse, is_spam: boolean): Promise<Spam> {
  const flagged = { ...before, is_spam };
  if (before.is_spam === is_spam) return { response: before, fact: responseFacts.updated };
  if (is_spam) {
    recount(work, before.form_id, { responses: -1, spam: 1 });
    return { response: flagged, fact: responseFacts.updated };
  }
  const answered = await formWithVersion(work, before.form_id, before.form_version);
  const is_made_up = before.spam_reasons.length > 0 && !(await wasMadeUp(work, before.id));
  const crm = is_made_up
    ? await effectsOf(work, { ...answered, version: answered.version!, response: flagged, is_new: false })
    : before.crm;
  await admitAgain(work, flagged);
  recount(work, before.form_id, { responses: 1, spam: -1 });
  if (!is_made_up) return { response: flagged, fact: responseFacts.updated };
  work.update(ResponseModel, before.id, { made_up_at: work.now.toISOString() });
  return { response: { ...flagged, crm }, fact: unflaggedFact };
}

async function wasMadeUp({ connection, organization_id }: Work, id: string): Promise<boolean> {
  const [row] = await connection.query<{ made_up_at: string | null }>(
    'SELECT made_up_at FROM forms_responses WHERE organization_id = $1 AND id = $2',
    [organization_id, id],
  );
  return row!.made_up_at !== null;
}

/** As a submission is admitted, by the settings of now, but whatever the state of its form: it was submitted in time. */
async function admitAgain(
  { connection, organization_id }: Work,
  { id, form_id, invitation_id }: FormResponse,
): Promise<void> {
  const ask = (text: string, values: unknown[]) => connection.query(text, [organization_id, ...values]);
  await ask('SELECT FROM forms_forms WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE', [form_id]);
  if (invitation_id !== null) {
    await ask('SELECT FROM forms_invitations WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE', [
      invitation_id,
    ]);
    const [other] = await ask(
      `SELECT FROM forms_responses WHERE organization_id = $1 AND invitation_id = $2 AND NOT is_spam AND id <> $3
        LIMIT 1`,
      [invitation_id, id],
    );
    if (other) throw new Failure('already_answered');
  }
  const [other] = await ask(
    `SELECT FROM forms_settings AS settings
       JOIN forms_emails AS own ON own.organization_id = settings.organization_id AND own.field_id = settings.one_per_field
      WHERE settings.organization_id = $1 AND settings.form_id = $2 AND settings.one_per <> 'none'
        AND own.response_id = $3 AND forms_has_answered($1, $2, own.field_id, own.email_key, $3)`,
    [form_id, id],
  );
  if (other) throw new Failure('already_answered');
  const [full] = await ask(
    `SELECT FROM forms_settings WHERE organization_id = $1 AND form_id = $2 AND max_responses <= (
       SELECT sum(response_count) FROM forms_counts WHERE organization_id = $1 AND form_id = $2)`,
    [form_id],
  );
  if (full) throw new Failure('form_full');
}

/** A form's count is the sum of its rows, so any of them takes the change. */
function recount(
  work: Work,
  form_id: string,
  { responses, spam }: { responses: number; spam: number },
): void {
  work.run(
    `INSERT INTO forms_counts AS known (organization_id, form_id, slot, response_count, spam_count)
     VALUES ($1, $2, 0, $3, $4)
     ON CONFLICT (organization_id, form_id, slot) DO UPDATE
        SET response_count = known.response_count + excluded.response_count,
            spam_count = known.spam_count + excluded.spam_count`,
    [work.organization_id, form_id, responses, spam],
  );
}
