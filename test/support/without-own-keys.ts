import { kinds, receivedKinds } from '../../shared/received/documents/kinds.ts';

/** Calls that make no record with keys of the client's own, and why. */
export const WITHOUT_OWN_KEYS: Record<string, string> = {
  'organizations.create': 'bounds everything else; its metadata holds api_version alone',
  'invitations.create': 'opens an organization to a person',
  'api_keys.create': 'opens an organization to a program',
  'crm.tag_assignments.create': 'ties a tag to a record, which both have keys',
  'mail.suppressions.create': 'bounds what is mailed to an address',
  'invoicing.quotations.duplicate': 'a copy never inherits a key and has no body; PATCH gives it one',
  'invoicing.invoices.duplicate': 'a copy never inherits a key and has no body; PATCH gives it one',
  'invoicing.invoices.revise': 'a copy never inherits a key and has no body; PATCH gives it one',
  'invoicing.delivery_notes.duplicate': 'a copy never inherits a key and has no body; PATCH gives it one',
  'invoicing.purchase_orders.duplicate': 'a copy never inherits a key and has no body; PATCH gives it one',
  'attendance.punches.create': 'a punch never changes, and follows from nothing of a client',
  'attendance.terms.create': 'says what holds for a member, who has keys',
  'accounting.fiscal_years.create': 'bounds entries',
  'accounting.period_locks.create': 'bounds entries',
  'accounting.documents.versions': 'adds a file to a document, which has keys',
  'accounting.journals.from_document': 'is of a record, which has keys; PATCH gives a draft its own',
  ...Object.fromEntries(
    receivedKinds.map((kind) => [
      `received.${kinds[kind].resource}.files`,
      'adds a file to a document, which has keys',
    ]),
  ),
  'received.invoices.journals.create': 'is of a record, which has keys; PATCH gives a draft its own',
  'forms.files.upload': 'is a part of the response that claims it',
  'accounting.journals.batch': 'makes many entries, each of which takes keys as a single one does',
  'accounting.journals.duplicate': 'a copy never inherits a key and has no body; PATCH gives it one',
  'cloud.files.copy': 'a copy never inherits a key; PATCH gives it one',
  'cloud.shares.create': 'a share only opens what is there',
  'scheduler.guest_bookings.create': 'is made by a guest; PATCH of staff gives it keys',
  'scheduler.calendars.connect_caldav': 'only reads what is at another service',
  'scheduler.calendars.connect_ics': 'only reads what is at another service',
  'scheduler.feeds.create': 'a feed only opens what is there',
  'scheduler.guest_proposals.accept': 'is made by a guest; PATCH of staff gives it keys',
  'scheduler.holds.create': 'a hold only keeps a time for a guest, for five minutes',
};
