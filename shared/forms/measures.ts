import { countOldest, type Measure } from '../platform/operators/measure.ts';

const TODAY = "> now() - interval '1 day'";

/**
 * What operators see of forms. Responses of the day are those that carry the hash of their sender's address, since these alone have an
 * index by time across organizations: what credentials submit, and forms without a limit an address, are not among them.
 */
export const formsMeasures: readonly Measure[] = [
  {
    name: 'forms_responses_today',
    title: { en: 'Responses of guests in a day', ja: '1日の回答' },
    help: 'Responses of guests in the last 24 hours to forms that limit submissions by address, flagged ones included',
    unit: 'count',
    age: { en: 'its submission', ja: '送信から' },
    query: countOldest('forms_responses', `address_hash > '' AND submitted_at ${TODAY}`, 'submitted_at'),
  },
  {
    name: 'forms_responses_flagged',
    title: { en: 'Responses that were flagged in a day', ja: '1日に迷惑投稿とされた回答' },
    help: 'Responses of the last 24 hours that are flagged as spam',
    unit: 'count',
    age: { en: 'its submission', ja: '送信から' },
    query: countOldest('forms_responses', `is_spam AND submitted_at ${TODAY}`, 'submitted_at'),
  },
  {
    name: 'forms_links_failed',
    title: {
      en: 'Responses that could not be linked this week',
      ja: '今週、連絡先に結び付けられなかった回答',
    },
    help: 'Responses of the last seven days that the CRM refused to link with a contact',
    unit: 'count',
    age: { en: 'its submission', ja: '送信から' },
    query: countOldest(
      'forms_responses',
      "crm_status = 'failed' AND submitted_at > now() - interval '7 days'",
      'submitted_at',
    ),
  },
  {
    name: 'forms_files_unclaimed',
    title: { en: 'Files that no response has claimed', ja: '回答に使われていないファイル' },
    help: 'Files that were uploaded for a form and that neither a response nor saved answers hold; a nightly run removes those of more than 24 hours',
    unit: 'count',
    age: { en: 'its upload', ja: 'アップロードから' },
    query: countOldest('forms_files', 'response_id IS NULL AND partial_id IS NULL', 'created_at'),
  },
];
