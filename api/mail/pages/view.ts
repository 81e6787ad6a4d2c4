import { viewLinks } from '../../../shared/mail/guests/links.ts';
import { guestOf } from '../../../shared/mail/guests/recipient.ts';
import { viewOf } from '../../../shared/mail/guests/view.ts';
import type { LinkedPage } from '../../pages/kit/page.ts';
import { pagePolicy } from '../../pages/policy.ts';

/** Its pictures come from where its sender has them; styles stand in the mail. Neither is a script, and nothing else is loaded. */
const POLICY = pagePolicy({ 'style-src': "'unsafe-inline'", 'img-src': 'https: http:' });

/** The mail as a page, for who cannot read it in their mail program. */
export const viewPage: LinkedPage = {
  path: '/m/v/:token',
  opened_by: { purpose: viewLinks, for_guests: true },
  show: async ({ steps, opened }) => {
    const { organization_id, record_id } = opened;
    const { baseUrl } = steps.context.settings;
    const { html, locale } = await steps.read(async (everywhere) => {
      const reader = { ...everywhere, organization_id };
      return viewOf(reader, await guestOf(reader, record_id), baseUrl);
    });
    const headers = { 'Content-Security-Policy': POLICY, 'Content-Language': locale };
    return { status: 200, type: 'text/html', content: html, headers };
  },
};
