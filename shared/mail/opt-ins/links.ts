import { DAY } from '../../kernel/days.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';

/** How long somebody may take to confirm, in milliseconds. */
export const OPT_IN_TIME = 7 * DAY;

/** The link of an opt-in: it proves that its mail was read. Opened again it tells that it was confirmed. */
export const optInLinks: LinkPurpose = {
  name: 'mail_opt_in',
  page: '/m/s',
  token: 'random',
  lifetime: OPT_IN_TIME,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};
