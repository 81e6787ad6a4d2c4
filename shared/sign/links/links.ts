import { randomBytes } from 'node:crypto';
import type { Work } from '../../kernel/work.ts';
import { endLinks, type LinkMaking, newLink } from '../../platform/links/links.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';
import { tokenFrom } from '../../platform/links/token.ts';

/**
 * The links of signers: one a signer, the same in the invitation and in every reminder, until the signer is replaced. One
 * that was replaced looks like one that never was. A link has no time of its own: how long it reads after the document's
 * end is a setting, and looked up when it is opened.
 */
export const signLinks: LinkPurpose = {
  name: 'sign.link',
  page: '/sign',
  token: 'derived',
  lifetime: null,
  max_uses: null,
  one_living: false,
  use_ends_others: false,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
};

/** The address of a signer's page, made anew or again. To be called when the turn has come, by what sends the mail. */
export function linkOf(
  making: Omit<LinkMaking, 'newToken'>,
  { organization_id, id }: { organization_id: string; id: string },
): Promise<string> {
  const drawn = { ...making, newToken: () => tokenFrom(randomBytes(32)) };
  return newLink(drawn, signLinks, { organization_id, record_id: id });
}

/** Ends every link of a signer that was made before, at the commit of the work: the next mail carries another one. */
export function endLinksOf(work: Work, signer_id: string): void {
  endLinks(work, signLinks, { organization_id: work.organization_id, record_id: signer_id });
}
