import type { LinkPurpose } from '../../platform/links/purpose.ts';

/** The link of what somebody saved to go on later: 32 random bytes, told once. An ended one looks like one that never was. */
export const partialLinks: LinkPurpose = {
  name: 'forms_partial',
  page: '/f/s',
  token: 'random',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};
