import { type TakingIn, takeInContact } from '../../crm/contacts/take-in.ts';
import { failureOf, isTransient } from '../../db/constraint.ts';
import { Work } from '../../kernel/work.ts';
import type { ResponseCrm } from '../responses/record.ts';
import type { Submitted } from '../responses/submitted.ts';
import { introducedBy } from './introduced.ts';
import { noteOf } from './note.ts';

const NONE: ResponseCrm = { status: 'none', contact_id: null, company_id: null, error: null };

/**
 * Makes the one who submitted a contact, or finds theirs, as the settings say; answers what the row of the response keeps of
 * it, before that is stored. Where the CRM refuses, what it wrote is taken back and the response stands, with the code of
 * the failure. No statement where the link is off. A response without an e-mail address has nobody to be found by: `none`.
 * Locks: those of `takeInContact`, after the form and its responses.
 */
export async function linkToCrm(work: Work, submitted: Submitted): Promise<ResponseCrm> {
  const { crm } = submitted.settings;
  if (!crm.enabled) return NONE;
  const read = introducedBy(crm.map, submitted);
  if (read === null) return NONE;
  if ('error' in read) return failed(read.error);
  const taking: TakingIn = { ...read, ...crm, note: noteOf(submitted) };
  return withinSavepoint(work, taking);
}

async function withinSavepoint(work: Work, taking: TakingIn): Promise<ResponseCrm> {
  const { connection } = work;
  // What is waiting belongs to the response, not to the link.
  await work.flush();
  await connection.query('SAVEPOINT crm_link');
  try {
    const own = new Work(work, { may_change_nothing: true });
    const { outcome, contact } = await takeInContact(own, taking);
    await own.finish();
    await connection.query('RELEASE SAVEPOINT crm_link');
    return { status: outcome, contact_id: contact.id, company_id: contact.company_id, error: null };
  } catch (error) {
    const { code } = failureOf(error);
    // The whole submission runs again, or fails as any other would.
    if (isTransient(error) || code === 'internal_error' || code === 'unavailable') throw error;
    await connection.query('ROLLBACK TO SAVEPOINT crm_link');
    await connection.query('RELEASE SAVEPOINT crm_link');
    return failed(code);
  }
}

function failed(error: string): ResponseCrm {
  return { status: 'failed', contact_id: null, company_id: null, error };
}
