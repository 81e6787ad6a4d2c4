import { Failure, notFound } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { changeLockedContact, createMailContact } from '../contacts/operations.ts';
import { contactWithEmail, lockMailContact } from '../contacts/queries.ts';
import type { MailConsent } from '../contacts/record.ts';
import { emailKey } from '../email-key.ts';
import { joinMailList } from '../lists/members.ts';
import { findOptIn, type OptInRow, optInOf } from './queries.ts';
import { type OptIn, OptInModel, optInFacts } from './record.ts';

/**
 * Makes the holder of the address an active contact of the list, with the consent that they gave: whatever they refused or
 * left before. Confirmed again it changes nothing. Errors: `not_found`, `suppressed` where the address was suppressed since.
 * Locks: the contact, the list, the opt-in.
 */
export async function confirmOptIn(work: Work, id: string): Promise<OptIn> {
  const asked = await findOptIn(work, id);
  if (!asked) throw notFound();
  const isTaken = asked.confirmed_at !== null || (await takeIn(work, asked));
  // The contact was made meanwhile: mostly by a link that was pressed twice, and then all is done.
  if (!isTaken) return confirmOptIn(work, id);
  const before = await findOptIn(work, id, 'FOR UPDATE');
  if (!before) throw notFound();
  if (before.confirmed_at !== null) {
    work.nothingChanged();
    return optInOf(before, work.now);
  }
  const confirmed_at = work.now.toISOString();
  const after = { ...before, confirmed_at, updated_at: work.touch(before) };
  work.update(OptInModel, id, { confirmed_at, updated_at: after.updated_at });
  const confirmed = optInOf(after, work.now);
  work.record(optInFacts.updated, { before: optInOf(before, work.now), after: confirmed });
  return confirmed;
}

/** Answers false, with nothing done, where somebody else made the contact at the same moment. */
async function takeIn(work: Work, asked: OptInRow): Promise<boolean> {
  const { email, list_id, first_name, last_name, source, text } = asked;
  const at = work.now.toISOString();
  const consent: MailConsent = { basis: 'consent', source, at, text, tracking: false };
  const contact_id = await contactWithEmail(work, emailKey(email));
  if (contact_id === null) {
    try {
      await createMailContact(work, { email, list_id, first_name, last_name, consent });
      return true;
    } catch (error) {
      if (error instanceof Failure && error.code === 'already_exists') return false;
      throw error;
    }
  }
  const locked = await lockMailContact(work, contact_id);
  await changeLockedContact(work, locked, {
    status: 'active',
    consent,
    first_name: locked.contact.first_name ?? first_name,
    last_name: locked.contact.last_name ?? last_name,
  });
  // The consent that takes up a list again is that of now.
  await work.flush();
  await joinMailList(work, list_id, contact_id);
  return true;
}
