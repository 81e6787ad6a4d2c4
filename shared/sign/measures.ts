import { countOldest, type Measure } from '../platform/operators/measure.ts';

/** A time that nothing waits for, since sweeps look every minute. */
const BEHIND = "< now() - interval '5 minutes'";

/** What operators see of sign. */
export const signMeasures: readonly Measure[] = [
  {
    name: 'sign_documents_open',
    title: 'Documents that are out for signing',
    help: 'Documents that were sent and are neither sealed nor cancelled',
    unit: 'count',
    age: 'its sending',
    query: countOldest('sign_documents', "status = 'sent'", 'sent_at'),
  },
  {
    name: 'sign_sealings_failed',
    title: 'Sealings that failed',
    help: 'Documents that all have signed and that could not be sealed',
    unit: 'count',
    age: 'its last change',
    query: countOldest('sign_documents', "sealing_status = 'failed'", 'updated_at'),
  },
  {
    name: 'sign_sealings_behind',
    title: 'Sealings behind',
    help: 'Documents that all have signed more than five minutes ago and that are not sealed yet',
    unit: 'count',
    age: 'its last signature',
    query: countOldest(
      'sign_documents',
      `sealing_status = 'pending' AND sealing_since ${BEHIND}`,
      'sealing_since',
    ),
  },
  {
    name: 'sign_mails_unknown',
    title: 'Signers whose mail may not have arrived',
    help: 'Signers in turn of whose last mail nobody knows whether the server took it',
    unit: 'count',
    age: 'it was asked for',
    // Those of whom it does not matter any more have signed, or their document has ended.
    query: countOldest(
      'sign_signers',
      "delivery = 'unknown' AND role <> 'cc' AND status IN ('notified', 'viewed')",
      'notified_at',
    ),
  },
  {
    name: 'sign_reminders_behind',
    title: 'Reminders of signers behind',
    help: 'Reminders of signers that should have been sent more than five minutes ago',
    unit: 'count',
    age: 'its time',
    query: countOldest('sign_signers', `next_reminder_at ${BEHIND}`, 'next_reminder_at'),
  },
];
