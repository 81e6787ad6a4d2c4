import assert from 'node:assert/strict';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

export type Sender = Client & { actor: TestActor };

/** What the law and the checks want of an organization that sends. */
export const SENDER = {
  sender_name: '株式会社山田商店',
  sender_address: '東京都千代田区丸の内1-1-1',
  sender_contact: '03-1234-5678',
  default_from_name: '山田商店',
  default_from_email: 'news@example.co.jp',
};

/** A consent of a contact. */
export const CONSENT = { basis: 'consent', source: '窓口', at: '2026-01-01T00:00:00Z' };

/** A member whose organization may send, with a list of contacts who agreed. */
export async function newSender(
  app: TestApp,
  emails: readonly string[] = ['taro@example.jp'],
  options: Parameters<TestApp['actor']>[0] = {},
): Promise<{ client: Sender; list_id: string }> {
  const client = await app.actor(options);
  const settings = await client.patch('/mail/settings', SENDER);
  assert.equal(settings.status, 200, settings.text);
  const list_id: string = (await client.post('/mail/lists', { name: '会員' })).body.list.id;
  for (const email of emails) await addContact(client, { email, list_id });
  return { client, list_id };
}

/** A contact who agreed unless said otherwise; answers its ID. */
export async function addContact(client: Client, fields: Record<string, unknown>): Promise<string> {
  const made = await client.post('/mail/contacts', { consent: CONSENT, ...fields });
  assert.equal(made.status, 201, made.text);
  return made.body.contact.id;
}

/** A draft that passes the checks; answers its path. */
export async function newDraft(client: Client, fields: Record<string, unknown>): Promise<string> {
  const made = await client.post('/mail/campaigns', {
    name: '春のお知らせ',
    subject: '春の新商品',
    body_html: '<p>{{last_name|お客様}} 様</p>',
    ...fields,
  });
  assert.equal(made.status, 201, made.text);
  return `/mail/campaigns/${made.body.campaign.id}`;
}
