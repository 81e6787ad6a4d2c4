import { newId } from '../../kernel/id.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import type { MailConsent } from '../contacts/record.ts';
import { emailKey, suppressionHash } from '../email-key.ts';
import { ConsentRecordModel } from './record.ts';

type Agreed = { id: string; email: string; consent: MailConsent | null };

/**
 * Records the consent of contacts after a change, as the anti-spam act wants it kept (特定電子メール法, Art. 3(2)): also that
 * one ended, and that one is of another address.
 */
export function keepConsents(work: Work, changes: readonly { before: Agreed | null; after: Agreed }[]): void {
  const created_at = work.now.toISOString();
  const changed = changes.filter(({ before, after }) => isOtherConsent(before, after));
  work.insertAll(
    ConsentRecordModel,
    changed.map(({ after: { id, email, consent } }) => ({
      id: newId('mcons', work.now),
      contact_id: id,
      email,
      email_hash: `\\x${suppressionHash(work.organization_id, emailKey(email)).toString('hex')}`,
      consent,
      created_at,
    })),
  );
}

function isOtherConsent(before: Agreed | null, after: Agreed): boolean {
  const had = before?.consent ?? null;
  if (had === null && after.consent === null) return false;
  return !isSameJson(had, after.consent) || before!.email !== after.email;
}

/** The ID of a contact is in that of its first record: both are made together. */
const KEEP_NEW = `
  INSERT INTO mail_consent_records (organization_id, id, contact_id, email, email_hash, consent, created_at)
  SELECT organization_id, 'mcons' || substr(id, 6), id, email,
         sha256(convert_to(organization_id || chr(10) || email_key, 'UTF8')), consent, created_at
    FROM mail_contacts WHERE organization_id = $1 AND import_id = $2 AND id BETWEEN $3 AND $4 AND consent IS NOT NULL`;

/** Records the consent of the contacts that an import has made, by the bounds of their IDs. */
export function keepConsentsOfNew(
  work: Work,
  import_id: string,
  { first, last }: { first: string; last: string },
): void {
  work.run(KEEP_NEW, [work.organization_id, import_id, first, last]);
}
