import { describe, test } from 'node:test';
import { type Mailed, seedRecipients } from '../support/mailed-campaigns.ts';
import { assertReads, plannedApp, type Reading } from '../support/plans.ts';

/**
 * What lists of recipients read at 100,000 in one campaign beside another one as large: through which index, and how many rows they
 * look at. One in a thousand is in each state but `sent`, and one in a thousand bounced, was opened, was clicked.
 */
const MANY = 100_000;
const FEW = 1_000;
const SMALL = new Set([
  'mail_campaign_counts',
  'mail_campaigns',
  'api_keys',
  'api_key_hashes',
  'members',
  'organizations',
]);

const AT = '2026-11-20T01:00:00.000Z';

const { app, ...planned } = await plannedApp();

const { client, path } = await planned.fill(async () => {
  const client = await app.actor();
  const { organization_id } = client.actor;
  const ids: string[] = [];
  for (const name of ['A', 'B']) {
    const { campaign } = (await client.post('/mail/campaigns', { name })).body;
    await seedRecipients(app.database, { organization_id, campaign_id: campaign.id }, MANY, mailed);
    ids.push(campaign.id);
  }
  return { client, path: `/mail/campaigns/${ids[0]}/recipients` };
});

function mailed(n: number): Mailed {
  const email = `person${n}@example.co.jp`;
  switch (n % FEW) {
    case 1:
      return { email, status: 'skipped', reason: 'unsubscribed' };
    case 2:
      return { email, status: 'failed', reason: 'refused' };
    case 3:
      return { email, status: 'queued' };
    case 4:
      return { email, status: 'unknown' };
    case 5:
      return { email, status: 'sent', sent_at: AT, bounce_class: 'hard', bounce_at: AT };
    case 6:
      return { email, status: 'sent', sent_at: AT, tracked: true, opened_at: AT };
    case 7:
      return { email, status: 'sent', sent_at: AT, tracked: true, clicked_at: AT };
    default:
      return { email, status: 'sent', sent_at: AT };
  }
}

const PAGE = 20 * 8 + 32;

function reads(query: string, reading: Omit<Reading, 'path'>): Promise<void> {
  return assertReads(planned, client, SMALL, {
    path: `${path}?limit=20&${query}`,
    ...reading,
  });
}

describe('recipients of a campaign', () => {
  test('are read by pages, however deep, and counted by its counters', async () => {
    const reading = { index: /mail_campaign_recipients_(pkey|by_status)/, most: PAGE, found: 20 };
    await reads('', reading);
    await reads('status=sent', reading);
    const middle = await client.get(`${path}?limit=1&offset=${MANY / 2}&skip_total=true`);
    await reads(`starting_after=${middle.body.items[0].id}`, reading);
    await reads(`starting_after=${middle.body.items[0].id}&status=sent`, reading);
  });

  test('in the order of their changes, however deep', async () => {
    const reading = { index: /mail_campaign_recipients_by_change/, most: PAGE, found: 20 };
    await reads('sort=updated_at:desc', reading);
    const middle = await client.get(`${path}?limit=1&offset=${MANY / 2}&sort=updated_at:asc&skip_total=true`);
    await reads(`sort=updated_at:asc&starting_after=${middle.body.items[0].id}`, reading);
  });

  for (const status of ['skipped', 'failed', 'queued', 'unknown']) {
    test(`of the few that are ${status}`, () =>
      reads(`status=${status}`, {
        index: /mail_campaign_recipients_(by_status|new)/,
        most: PAGE,
        found: 20,
      }));
  }

  for (const [query, index] of [
    ['reason=unsubscribed', /_by_reason/],
    ['bounced=true', /_with_bounce/],
    ['opened=true', /_opened/],
    ['clicked=true', /_clicked/],
  ] as const) {
    test(`of the few that are asked for by ${query}`, async () => {
      await reads(`${query}&skip_total=true`, { index, most: PAGE, found: 20 });
      // The total is counted: one in a thousand.
      await reads(query, { index, most: MANY / FEW + PAGE, found: 20 });
    });
  }

  test('of an e-mail, and of its beginning', async () => {
    const index = /mail_campaign_recipients_by_email/;
    await reads('search=person77777@example.co.jp', { index, most: PAGE, found: 1 });
    await reads('search=person7777', { index, most: PAGE, found: 11 });
    await reads('search=person&skip_total=true', {
      index: /mail_campaign_recipients_pkey/,
      most: PAGE,
      found: 20,
    });
  });
});
