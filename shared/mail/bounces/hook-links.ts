import { randomBytes } from 'node:crypto';
import type { Fact } from '../../kernel/fact.ts';
import type { Work } from '../../kernel/work.ts';
import { newLink } from '../../platform/links/links.ts';
import type { LinkPurpose } from '../../platform/links/purpose.ts';
import { tokenFrom } from '../../platform/links/token.ts';
import { mailSettingsOf } from '../settings/queries.ts';
import { mailSettingsFacts } from '../settings/record.ts';

/** The address at which a mail server or a mail service tells an organization of bounces and complaints. One is valid at a time. */
export const hookLinks: LinkPurpose = {
  name: 'mail_hook',
  page: '/api/v1/mail/hooks',
  token: 'random',
  lifetime: null,
  max_uses: null,
  one_living: true,
  use_ends_others: false,
  is_program: true,
  refusals: { unknown: 'not_found', revoked: 'not_found', expired: 'not_found', used: 'not_found' },
  opens_nothing: {
    en: 'The token of this hook is wrong, or a newer one has ended it. Set what sends to the address that POST /api/v1/mail/settings/hook-token answers: it makes a new one, shows it once and ends the one before.',
    ja: 'このフックのトークンは正しくないか、新しいものに置き換えられています。POST /api/v1/mail/settings/hook-token で新しいURLを作成し、送信元のメールサービスに設定してください。URLは一度だけ表示され、以前のものは無効になります。',
  },
};

/** The address is shown to nobody later, so the audit log tells only that there is a new one. */
const hookRenewed: Fact = { ...mailSettingsFacts.updated, always: true };

/** Makes the address of the organization's hook, and ends the one before. It is shown now and never again. */
export async function newHook(work: Work, base_url: string): Promise<string> {
  const { connection, now, organization_id } = work;
  const making = { connection, now, base_url, newToken: () => tokenFrom(randomBytes(32)) };
  const url = await newLink(making, hookLinks, { organization_id, record_id: organization_id });
  const settings = await mailSettingsOf(work);
  work.record(hookRenewed, { before: settings, after: settings });
  return url;
}
