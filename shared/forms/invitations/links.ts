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

/** The address that an invitation is answered at: its form's page with the token. */
export function invitationUrl(public_url: string, token: string): string {
  return `${public_url}?i=${token}`;
}
