import type { Work } from '../../kernel/work.ts';

/** Rows that the counts of one campaign are spread over, so that those who count do not wait for each other. */
export const SLOTS = 16;

const counts = [
  'queued',
  'sending',
  'sent',
  'sent_tracked',
  'tracked',
  'failed',
  'skipped',
  'unknown',
  'hard_bounces',
  'soft_bounces',
  'complaints',
  'unsubscribes',
  'opens',
  'unique_opens',
  'clicks',
  'unique_clicks',
  'bot_opens',
  'bot_clicks',
] as const;

const hourly = ['sent', 'opens', 'clicks', 'bounces', 'unsubscribes'] as const;

export type CampaignCounts = Partial<Record<(typeof counts)[number], number>>;

export type HourlyCounts = Partial<Record<(typeof hourly)[number], number>>;

/** A recipient by its numbers: it decides the row that is counted in. */
type Counted = { campaign_id: string; number: number };

/** Moves the counts of a campaign. It is the last that a transaction locks. */
export function moveCounts(work: Work, recipient: Counted, changes: CampaignCounts): void {
  const moved = counts.filter((name) => (changes[name] ?? 0) !== 0);
  if (moved.length === 0) return;
  work.run(adding('mail_campaign_counts', ['slot'], moved), [
    work.organization_id,
    recipient.campaign_id,
    recipient.number % SLOTS,
    ...moved.map((name) => changes[name]),
  ]);
}

/** Moves the sums of the hour of an instant. */
export function moveHourlyCounts(work: Work, recipient: Counted, at: string, changes: HourlyCounts): void {
  const moved = hourly.filter((name) => (changes[name] ?? 0) !== 0);
  if (moved.length === 0) return;
  work.run(adding('mail_campaign_hours', ['slot', 'hour'], moved), [
    work.organization_id,
    recipient.campaign_id,
    recipient.number % SLOTS,
    `${at.slice(0, 13)}:00:00.000Z`,
    ...moved.map((name) => changes[name]),
  ]);
}

/** Moves the counts of a link of a campaign. */
export function moveLinkCounts(
  work: Work,
  recipient: Counted,
  index: number,
  { clicks, unique_clicks }: { clicks: number; unique_clicks: number },
): void {
  work.run(adding('mail_campaign_link_counts', ['slot', 'index'], ['clicks', 'unique_clicks']), [
    work.organization_id,
    recipient.campaign_id,
    recipient.number % SLOTS,
    index,
    clicks,
    unique_clicks,
  ]);
}

function adding(table: string, keys: readonly string[], names: readonly string[]): string {
  const key = ['organization_id', 'campaign_id', ...keys];
  const columns = [...key, ...names];
  return `INSERT INTO ${table} AS known (${columns.join(', ')})
    VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET
      ${names.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')}`;
}
