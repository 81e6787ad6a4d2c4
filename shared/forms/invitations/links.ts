import type { LinkPurpose } from '../../platform/links/purpose.ts';

/** The links of invitations: one each, the same in every mail. Its token stands in the address of the form's page. */
export const invitationLinks: LinkPurpose = {
  name: 'forms_invitation',
  page: '/f',
  token: 'derived',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};
