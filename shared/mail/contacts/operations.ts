import { type Failure, unknownReference } from '../../kernel/failure.ts';
import { fullName } from '../../kernel/full-name.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { blank } from '../../kernel/record-fields.ts';
import { allows } from '../../kernel/scope.ts';
import { inStoredOrder } from '../../kernel/stored-order.ts';
import type { Work } from '../../kernel/work.ts';
import { forgetRecord } from '../../platform/imports/outcomes.ts';
import { forgetInboundOf } from '../bounces/retention.ts';
import { eraseRecipients, lockBehindRecipients } from '../campaigns/erase-recipients.ts';
import { forgetTestMails } from '../campaigns/test-mail.ts';
import { keepConsents } from '../consent-records/keep.ts';
import { emailKey } from '../email-key.ts';
import { outdateExportsOf } from '../exports/outdated.ts';
import { forgetAnswers } from '../forget-answers.ts';
import { countContact, lockMailLists } from '../lists/counters.ts';
import { addMember } from '../lists/members.ts';
import { forgetOptIns } from '../opt-ins/forget.ts';
import { forgetAddress } from '../suppressions/operations.ts';
import { suppressionFor } from '../suppressions/queries.ts';
import { refuseFutureConsent } from './consent.ts';
import {
  contactWithEmail,
  contactWithExternalId,
  type LockedMailContact,
  linksOf,
  lockMailContact,
  type MailContactRow,
  mailContactOf,
} from './queries.ts';
import {
  emailInUse,
  externalIdInUse,
  type MailContact,
  type MailContactInput,
  MailContactModel,
  type MailContactPatch,
  mailContactFacts,
} from './record.ts';
import { indexContact } from './search-index.ts';
import { mailSearchText } from './search-text.ts';
import { changedStanding, refuseSuppressed, suppressed } from './status.ts';

/**
 * Makes an active contact, in a list where one is named. Errors: `already_exists`, `suppressed`, `unknown_reference`,
 * `validation_failed` at /consent/at.
 */
export async function createMailContact(work: Work, input: MailContactInput): Promise<MailContact> {
  const { list_id = null } = input;
  refuseFutureConsent(input.consent, work.now);
  const row = newRow(work, input);
  const [isNew, suppression, links] = await Promise.all([
    insertContact(work, row),
    suppressionFor(work, emailKey(row.email)),
    linksOf(work, [row]),
  ]);
  if (!isNew) throw await keyInUse(work, row);
  if (suppression) throw suppressed(suppression.id);
  if (list_id !== null) {
    const [known] = await lockMailLists(work, [list_id]);
    if (!known) throw unknownReference('/list_id', list_id);
  }
  const { crm_contact_id } = links(row);
  const contact = mailContactOf(row, { list_ids: list_id === null ? [] : [list_id], crm_contact_id });
  indexContact(work, contact.id, mailSearchText(contact));
  keepConsents(work, [{ before: null, after: contact }]);
  work.record(mailContactFacts.created, { before: null, after: contact });
  if (list_id !== null) addMember(work, { list_id, contact_id: contact.id, isActive: true });
  return contact;
}

/**
 * Changes the fields sent. Errors: `not_found`, `precondition_failed`, `already_exists`, `consent_required`,
 * `suppressed`, `validation_failed` at /consent/at.
 */
export async function updateMailContact(
  work: Work,
  id: string,
  patch: MailContactPatch,
): Promise<MailContact> {
  const locked = await lockMailContact(work, id);
  work.precondition(locked.contact);
  return changeLockedContact(work, locked, patch);
}

/** The same of a contact that is locked. */
export async function changeLockedContact(
  work: Work,
  locked: LockedMailContact,
  patch: MailContactPatch,
): Promise<MailContact> {
  const before = locked.contact;
  const { id } = before;
  const { attributes, metadata, consent, ...fields } = patch;
  refuseFutureConsent(consent, work.now);
  const agreed = consent === undefined ? before.consent : consent;
  const { refused_at, ...standing } = changedStanding(locked, patch, agreed, work.now);
  const changed: MailContact = {
    ...before,
    ...fields,
    ...standing,
    attributes: attributes === undefined ? before.attributes : inStoredOrder(attributes),
    metadata: metadataAfter(before.metadata, metadata),
    consent: agreed,
  };
  if (work.isSame(mailContactFacts.updated, before, changed)) return before;
  const email_key = emailKey(changed.email);
  if (email_key !== locked.email_key) await refuseKnown(work, email_key);
  const becomesActive = before.status !== 'active' || email_key !== locked.email_key;
  if (changed.status === 'active' && becomesActive) await refuseSuppressed(work, email_key);
  const after: MailContact = {
    ...changed,
    ...(email_key !== locked.email_key && (await linksOf(work, [changed]))(changed)),
    full_name: fullName(changed) || null,
    unsubscribed_at: refused_at,
    updated_at: work.touch(before),
  };
  await countContact(work, id, {
    wasActive: before.status === 'active',
    isActive: after.status === 'active',
  });
  writeContact(work, before, after, { email_key, refused_at });
  keepConsents(work, [{ before, after }]);
  work.record(mailContactFacts.updated, { before, after });
  return after;
}

/**
 * Erases a contact: what is left is the hash of an address that was refused or bounced, as a suppression, what its campaigns have
 * counted, and the record of its consent. Errors: `not_found`, `precondition_failed`. Locks: its recipients, the contact, its lists,
 * the suppression, the counts of campaigns.
 */
export async function deleteMailContact(work: Work, id: string): Promise<void> {
  const { contact, email_key } = await lockBehindRecipients(work, id, () =>
    lockMailContact(work, id, 'removal'),
  );
  work.precondition(contact);
  const { status, status_reason } = contact;
  await countContact(work, id, { wasActive: status === 'active', isActive: false, isRemoved: true });
  await forgetAddress(work, email_key, status === 'active' ? null : (status_reason ?? status));
  forgetAnswers(work, 'contact', contact);
  forgetOptIns(work, email_key);
  forgetTestMails(work, email_key);
  forgetInboundOf(work, id);
  await outdateExportsOf(work, id);
  eraseRecipients(work, id);
  forgetRecord(work, id, email_key);
  work.remove(MailContactModel, id);
  work.record(mailContactFacts.deleted, { before: contact, after: null });
}

function newRow(work: Work, input: MailContactInput): MailContactRow {
  const created_at = work.now.toISOString();
  const names = { first_name: input.first_name ?? null, last_name: input.last_name ?? null };
  return {
    id: newId('mcont', work.now),
    email: input.email,
    ...names,
    full_name: fullName(names) || null,
    status: 'active',
    status_reason: null,
    attributes: inStoredOrder(input.attributes ?? {}),
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    consent: input.consent ?? null,
    ...blank(['last_sent_at', 'last_opened_at', 'last_clicked_at', 'refused_at']),
    created_at,
    updated_at: created_at,
  };
}

/** Inserts at once, and answers whether it did: of two with one e-mail or ID, the second waits here for the first. */
async function insertContact(work: Work, row: MailContactRow): Promise<boolean> {
  const made = await work.connection.query(
    `INSERT INTO mail_contacts (organization_id, id, email, email_key, first_name, last_name, full_name, status,
       attributes, consent, search_text, created_at, updated_at, external_id, metadata)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14)
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      work.organization_id,
      row.id,
      row.email,
      emailKey(row.email),
      row.first_name,
      row.last_name,
      row.full_name,
      row.status,
      JSON.stringify(row.attributes),
      row.consent && JSON.stringify(row.consent),
      mailSearchText(row),
      row.created_at,
      row.external_id,
      JSON.stringify(row.metadata),
    ],
  );
  return made.length === 1;
}

/** Writes what a change made of a locked contact; its letters too where they changed. */
function writeContact(
  work: Work,
  before: MailContact,
  after: MailContact,
  hidden: { email_key: string; refused_at: string | null },
): void {
  const { id, object, list_ids, crm_contact_id, created_at, unsubscribed_at, ...fields } = after;
  const { last_sent_at, last_opened_at, last_clicked_at, ...columns } = fields;
  const search_text = mailSearchText(after);
  work.update(MailContactModel, id, { ...columns, ...hidden, search_text });
  if (search_text !== mailSearchText(before)) indexContact(work, id, search_text);
}

/** Why a new contact could not be inserted: another one has its ID of the client's own, or its e-mail. */
async function keyInUse(work: Work, { external_id, email }: MailContactRow): Promise<Failure> {
  const holder = await contactWithExternalId(work, external_id);
  if (holder !== null) return externalIdInUse(readable(work, holder));
  return emailInUse(readable(work, await contactWithEmail(work, emailKey(email))));
}

async function refuseKnown(work: Work, email_key: string): Promise<void> {
  const known = await contactWithEmail(work, email_key);
  if (known !== null) throw emailInUse(readable(work, known));
}

/** A contact's ID as a refusal may name it: for who may read it. */
function readable({ actor }: Work, contact_id: string | null): string | null {
  return allows(actor.grants, 'mail:read') ? contact_id : null;
}
