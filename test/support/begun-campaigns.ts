import assert from 'node:assert/strict';
import { inWork } from '../../shared/db/in-work.ts';
import { systemActor } from '../../shared/kernel/reader.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { freezeSlice } from '../../shared/mail/campaigns/freeze.ts';
import { markRecipients } from '../../shared/mail/sending/mark.ts';
import type { TestApp } from './app.ts';
import { newDraft, newSender, type Sender } from './sendable-campaigns.ts';

/** A campaign under way whose recipients are settled, in the order of the addresses, and of which no mail has begun. */
export type Begun = {
  client: Sender;
  list_id: string;
  campaign_id: string;
  /** Runs a step of the workers in a transaction of its own. */
  act: <T>(run: (work: Work) => Promise<T>) => Promise<T>;
  /** Marks the next recipients, as the slice `lease_id` does; answers their numbers. */
  mark: (work: Work, lease_id: string, most?: number) => Promise<number[]>;
};

/** Has somebody send a campaign to a list of these addresses, and settles its recipients. */
export async function begunCampaign(
  app: TestApp,
  emails: readonly string[],
  fields: Record<string, unknown> = {},
): Promise<Begun> {
  const { client, list_id } = await newSender(app, emails);
  return { ...(await anotherBegun(app, client, { list_ids: [list_id], ...fields })), list_id };
}

/** The same, to whom the fields of a draft say. */
export async function anotherBegun(
  app: TestApp,
  client: Sender,
  fields: { list_ids: string[] } & Record<string, unknown>,
): Promise<Omit<Begun, 'list_id'>> {
  const path = await newDraft(client, fields);
  const sent = await client.post(`${path}/send`);
  assert.equal(sent.status, 202, sent.text);
  const campaign_id: string = sent.body.campaign.id;
  const { organization_id } = client.actor;
  const act: Begun['act'] = (run) => {
    const who = { organization_id, actor: systemActor, now: new Date(), request_id: null, ip_address: null };
    return app.database.withConnection(organization_id, (connection) =>
      inWork({ ...who, connection }, run, { may_change_nothing: true }),
    );
  };
  await act((work) => freezeSlice(work, campaign_id));
  const rules = { id: campaign_id, purpose: 'notice', mail_order: false, list_ids: fields.list_ids } as const;
  return {
    client,
    campaign_id,
    act,
    mark: async (work, lease_id, most = 10) => {
      const { marked } = await markRecipients(work, rules, { most, lease_id });
      return marked.map(({ number }) => number);
    },
  };
}
