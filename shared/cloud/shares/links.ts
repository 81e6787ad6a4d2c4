import type { LinkPurpose } from '../../platform/links/purpose.ts';

/**
 * The links of shares. Which ends one has is the share's own: a link is never ended, so that a share that has ended is
 * told from one that never was, however long ago that is.
 */
export const shareLinks: LinkPurpose = {
  name: 'cloud_share',
  page: '/s',
  is_folder: true,
  token: 'random',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  requests_of_address: 1_200,
  refusals: {
    unknown: 'not_found',
    revoked: 'share_ended',
    expired: 'share_ended',
    used: 'share_ended',
  },
};
