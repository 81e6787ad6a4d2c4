import { countOldest, type Measure } from '../platform/operators/measure.ts';

/** A time that nothing waits for, since sweeps look every minute. */
const BEHIND = "< now() - interval '5 minutes'";

/** What operators see of sign. */
export const signMeasures: readonly Measure[] = [
  {
    name: 'sign_documents_open',
    title: { en: 'Documents that are out for signing', ja: '署名を待つ書類' },
    help: 'Documents that were sent and are neither sealed nor cancelled',
    unit: 'count',
    age: { en: 'its sending', ja: '送信から' },
    query: countOldest('sign_documents', "status = 'sent'", 'sent_at'),
  },
  {
    name: 'sign_sealings_failed',
    title: { en: 'Sealings that failed', ja: '失敗した封印' },
    help: 'Documents that all have signed and that could not be sealed',
    unit: 'count',
    age: { en: 'its last change', ja: '最後の更新から' },
    query: countOldest('sign_documents', "sealing_status = 'failed'", 'updated_at'),
  },
  {
    name: 'sign_sealings_behind',
    title: { en: 'Sealings behind', ja: '遅れている封印' },
    help: 'Documents that all have signed more than five minutes ago and that are not sealed yet',
    unit: 'count',
    age: { en: 'its last signature', ja: '最後の署名から' },
    query: countOldest(
      'sign_documents',
      `sealing_status = 'pending' AND sealing_since ${BEHIND}`,
      'sealing_since',
    ),
  },
  {
    name: 'sign_mails_unknown',
    title: { en: 'Signers whose mail may not have arrived', ja: 'メールが届いていない可能性のある署名者' },
    help: 'Signers in turn of whose last mail nobody knows whether the server took it',
    unit: 'count',
    age: { en: 'it was asked for', ja: '依頼から' },
    // Those of whom it does not matter any more have signed, or their document has ended.
    query: countOldest(
      'sign_signers',
      "delivery = 'unknown' AND role <> 'cc' AND status IN ('notified', 'viewed')",
      'notified_at',
    ),
  },
  {
    name: 'sign_reminders_behind',
    title: { en: 'Reminders of signers behind', ja: '遅れている署名の催促' },
    help: 'Reminders of signers that should have been sent more than five minutes ago',
    unit: 'count',
    age: { en: 'its time', ja: '予定時刻から' },
    query: countOldest('sign_signers', `next_reminder_at ${BEHIND}`, 'next_reminder_at'),
  },
];
