import { countOldest, type Measure } from '../platform/operators/measure.ts';

const TODAY = "> now() - interval '1 day'";

/**
 * What operators see of forms. Responses of the day are those that carry the hash of their sender's address, since these alone have an
 * index by time across organizations: what credentials submit, and forms without a limit an address, are not among them.
 */
export const formsMeasures: readonly Measure[] = [
  {
    name: 'forms_responses_today',
    title: 'Responses of guests in a day',
    help: 'Responses of guests in the last 24 hours to forms that limit submissions by address, flagged ones included',
    unit: 'count',
    age: 'its submission',
    query: countOldest(
      'forms_responses',
      `address_hash IS NOT NULL AND submitted_at ${TODAY}`,
      'submitted_at',
    ),
  },
  {
    name: 'forms_responses_flagged',
    title: 'Responses that were flagged in a day',
    help: 'Responses of the last 24 hours that are flagged as spam',
    unit: 'count',
    age: 'its submission',
    query: countOldest('forms_responses', `is_spam AND submitted_at ${TODAY}`, 'submitted_at'),
  },
  {
    name: 'forms_links_failed',
    title: 'Responses that could not be linked this week',
    help: 'Responses of the last seven days that the CRM refused to link with a contact',
    unit: 'count',
    age: 'its submission',
    query: countOldest(
      'forms_responses',
      "crm_status = 'failed' AND submitted_at > now() - interval '7 days'",
      'submitted_at',
    ),
  },
  {
    name: 'forms_files_unclaimed',
    title: 'Files that no response has claimed',
    help: 'Files that were uploaded for a form and that neither a response nor saved answers hold; a nightly run removes those of more than 24 hours',
    unit: 'count',
    age: 'its upload',
    query: countOldest('forms_files', 'response_id IS NULL AND partial_id IS NULL', 'created_at'),
  },
];
