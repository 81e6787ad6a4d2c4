import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { emailKey, suppressionHash } from '../email-key.ts';
import { forgetAnswers } from '../forget-answers.ts';
import { lockSuppression, type SuppressionRow, suppressionFor, suppressionOf } from './queries.ts';
import {
  alreadySuppressed,
  type Suppression,
  type SuppressionInput,
  SuppressionModel,
  suppressionFacts,
} from './record.ts';

/** Suppresses an address, whether it is a contact's or not. Errors: `already_exists`. */
export async function createSuppression(work: Work, input: SuppressionInput): Promise<Suppression> {
  const email_key = emailKey(input.email);
  for (;;) {
    const suppression = await suppressAddress(work, { ...addressOf(work, email_key), ...input });
    if (suppression) return suppression;
    const known = await suppressionFor(work, email_key);
    if (known) throw alreadySuppressed(known.id);
    // The one that stood in the way was lifted between the two looks.
  }
}

/** Lets an address be mailed again. Errors: `not_found`, `precondition_failed`. */
export async function deleteSuppression(work: Work, id: string): Promise<void> {
  const before = await lockSuppression(work, id);
  work.precondition(before);
  work.remove(SuppressionModel, id);
  work.record(suppressionFacts.deleted, { before, after: null });
}

/**
 * Erases an address and keeps its hash to recognize it: a suppression of it loses the e-mail; where there is none
 * one is left, without the e-mail, if there is a `reason` for it.
 */
export async function forgetAddress(work: Work, email_key: string, reason: string | null): Promise<void> {
  const made =
    reason === null ? null : await suppressAddress(work, { ...addressOf(work, email_key), reason });
  if (made) return;
  const before = await suppressionFor(work, email_key, 'FOR UPDATE');
  if (!before?.email) return;
  const after = { ...before, email: null, updated_at: work.touch(before) };
  work.update(SuppressionModel, before.id, { email: null, updated_at: after.updated_at });
  forgetAnswers(work, 'suppression', before);
  work.record(suppressionFacts.updated, { before, after });
}

function addressOf({ organization_id }: Work, email_key: string): { email: null; email_hash: Buffer } {
  return { email: null, email_hash: suppressionHash(organization_id, email_key) };
}

/**
 * The new suppression of an address that is told by its hash, or null when it has one; it waits for one that is being made at the
 * moment. `email` is null for an address that was erased.
 */
export async function suppressAddress(
  work: Work,
  { email, email_hash, reason }: { email: string | null; email_hash: Buffer; reason: string },
): Promise<Suppression | null> {
  const [row] = await work.connection.query<SuppressionRow>(
    `INSERT INTO suppressions (organization_id, id, email, email_hash, reason, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT ON CONSTRAINT suppressions_email_once DO NOTHING
     RETURNING id, email, reason, created_at, updated_at`,
    [work.organization_id, newId('supp', work.now), email, email_hash, reason, work.now.toISOString()],
  );
  if (!row) return null;
  const suppression = suppressionOf(row);
  work.record(suppressionFacts.created, { before: null, after: suppression });
  return suppression;
}
