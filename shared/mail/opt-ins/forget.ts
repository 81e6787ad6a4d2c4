import type { Work } from '../../kernel/work.ts';

/** Removes the opt-ins of an address that is erased, with the answers that are kept for the requests that asked for them. */
export function forgetOptIns(work: Work, email_key: string): void {
  const about = [work.organization_id, email_key];
  work.run(
    `DELETE FROM idempotency_keys WHERE organization_id = $1 AND (created_at, body->'opt_in'->>'id') IN (
       SELECT created_at, id FROM mail_opt_ins WHERE organization_id = $1 AND email_key = $2)`,
    about,
  );
  work.run('DELETE FROM mail_opt_ins WHERE organization_id = $1 AND email_key = $2', about);
}
