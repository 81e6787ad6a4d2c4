import type { TestApp } from './app.ts';
import { campaignMail } from './campaign-mails.ts';
import type { Client } from './client.ts';

type Call = { path: string; body?: unknown };

/** A call that succeeds, for every POST of those who got a mail of a campaign. */
export function mailGuestCalls(
  app: TestApp,
): Record<string, (client: Client & { organization_id: string }) => Promise<Call>> {
  return {
    'mail.subscription.unsubscribe': async (client) => {
      const { organization_id } = client;
      const mail = await campaignMail(app, { ...client, actor: { organization_id } });
      return { path: `/mail/u/${mail.token('unsubscribe')}`, body: { all: true } };
    },
  };
}
