import assert from 'node:assert/strict';
import type { Database } from '../../../shared/db/database.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { seedMailContacts } from '../../support/many-mail-contacts.ts';
import { filled } from '../../support/plans.ts';
import { SENDER } from '../../support/sendable-campaigns.ts';
import { until } from '../../support/until.ts';
import { type Server, startServer } from '../servers.ts';

/** An organization with contacts in a list, and the API beside it. */
export type Office = {
  database: Database;
  organization_id: string;
  list_id: string;
  environment: Record<string, string>;
  api: Server;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API, of any shape.
  call: (method: string, path: string, body?: object) => Promise<any>;
  startWorkers: (environment: Record<string, string>) => Promise<Server>;
  /** Asks for a campaign to all contacts, of mails of 10 kB; answers its ID. */
  send: (fields?: object) => Promise<string>;
  /** Milliseconds between the start of a campaign and the settling of its recipients. */
  frozen: (id: string) => Promise<number>;
  untilSent: (id: string) => Promise<void>;
  close: () => Promise<void>;
};

/** About 10 kB as HTML and text together, with placeholders. */
const BODY = `<p>{{last_name|お客様}} 様</p>${'<p>The news of this spring, with a sentence that goes on for a while.</p>'.repeat(45)}`;

/** Opens an organization with so many contacts who may be mailed. */
export async function openOffice(contacts: number): Promise<Office> {
  const { database, url, drop } = await freshDatabase({ statement_timeout: 1_800_000 });
  const actor = await newActor(database);
  const { organization_id } = actor;
  const environment = {
    DATABASE_URL: url,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
    // Of the API, which sends nothing itself; the workers are given the address of the sink.
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'news@example.co.jp',
  };
  const api = await startServer('api', 'api/main.ts', environment);
  const headers = { authorization: `Bearer ${actor.secret}`, 'content-type': 'application/json' };
  const call: Office['call'] = async (method, path, body) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const reply = await fetch(`${api.base_url}/api/v1${path}`, sent);
    const text = await reply.text();
    assert.ok(reply.ok, `${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  const { list } = await call('POST', '/mail/lists', { name: 'bench' });
  await call('PATCH', '/mail/settings', SENDER);
  await filled(url, async () => {
    await seedMailContacts(database, organization_id, contacts, { indexed: false, list_id: list.id });
    await database.withConnection('*', ({ query }) => query("UPDATE mail_contacts SET status = 'active'"));
  });
  const query = <Row extends object>(text: string, values: unknown[]) =>
    database.withConnection('*', (connection) => connection.query<Row>(text, values));
  return {
    database,
    organization_id,
    list_id: list.id,
    environment,
    api,
    headers,
    call,
    startWorkers: (more) => startServer('workers', 'workers/main.ts', { ...environment, ...more }),
    send: async (fields = {}) => {
      const draft = {
        name: 'bench',
        subject: 'News',
        purpose: 'notice',
        list_ids: [list.id],
        body_html: BODY,
      };
      const { campaign } = await call('POST', '/mail/campaigns', { ...draft, ...fields });
      await call('POST', `/mail/campaigns/${campaign.id}/send`);
      return campaign.id;
    },
    frozen: (id) =>
      until(
        'the recipients are settled',
        async () => {
          const [row] = await query<{ took: number | null }>(
            `SELECT extract(epoch FROM frozen_at - started_at)::float8 * 1000 AS took FROM mail_campaigns WHERE id = $1`,
            [id],
          );
          return row!.took;
        },
        3_600_000,
      ),
    untilSent: async (id) => {
      await until(
        'the campaign is sent',
        async () => {
          const [row] = await query<{ status: string }>('SELECT status FROM mail_campaigns WHERE id = $1', [
            id,
          ]);
          return row!.status === 'sent';
        },
        3_600_000,
      );
    },
    close: async () => {
      await api.stop();
      await drop();
    },
  };
}
