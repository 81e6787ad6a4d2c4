import type { Work } from '../../kernel/work.ts';
import { SLOTS } from '../campaigns/counts.ts';
import { SECOND } from './limits.ts';

/** Where a transaction notes which recipients it has moved; it is empty at the start of each. */
const NOTES = 'mail.moved_recipients';

/**
 * SQL that notes recipients as moved, to be selected once: `rows` selects `was` and `status`, `reason`, `at`, and the booleans
 * `is_tracked` (of a mail that left) and `is_untracked` (of who is tracked no more).
 */
export function notingMoved(rows: string): string {
  return `set_config('${NOTES}', (coalesce(nullif(current_setting('${NOTES}', true), ''), '[]')::jsonb
    || coalesce((SELECT jsonb_agg(moved) FROM (${rows}) AS moved), '[]'))::text, true)`;
}

/** The counts that a slice moves, by what one recipient that was moved adds to each. */
const STATUSES = ['queued', 'sending', 'sent', 'failed', 'skipped', 'unknown'] as const;
const ADDED = [
  ...STATUSES.map((name) => [name, `(status = '${name}')::integer - (was = '${name}')::integer`] as const),
  ['sent_tracked', 'is_tracked::integer'] as const,
  ['tracked', '-is_untracked::integer'] as const,
];
const NAMES = ADDED.map(([name]) => name);

/** Each waits for the one before, so that everybody locks in one order: the counts, the hours, the minute, the skips. */
const TALLY = `
  WITH moved AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(nullif(current_setting('${NOTES}', true), '')::jsonb)
      AS moved (was text, status text, reason text, at timestamptz, is_tracked boolean, is_untracked boolean)
  ), counted AS (
    INSERT INTO mail_campaign_counts AS known (organization_id, campaign_id, slot, ${NAMES.join(', ')})
    SELECT $1::text, $2::text, $3::smallint, ${ADDED.map(([, added]) => `sum(${added})`).join(', ')} FROM moved HAVING count(*) > 0
    ON CONFLICT (organization_id, campaign_id, slot) DO UPDATE SET
      ${NAMES.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')}
    RETURNING 1
  ), hours AS (
    INSERT INTO mail_campaign_hours AS known (organization_id, campaign_id, slot, hour, sent)
    SELECT $1::text, $2::text, $3::smallint, date_trunc('hour', at, 'UTC') AS hour, count(*) FROM moved
     WHERE status = 'sent' AND (SELECT count(*) FROM counted) > 0 GROUP BY hour ORDER BY hour
    ON CONFLICT (organization_id, campaign_id, hour, slot) DO UPDATE SET sent = known.sent + excluded.sent
    RETURNING 1
  ), minute AS (
    INSERT INTO mail_send_spans AS known (organization_id, scope, span, until, count)
    SELECT $1::text, $2::text, 'minute', $4::bigint, count(*) FROM moved
     WHERE status = 'sent' AND (SELECT count(*) FROM hours) > 0 HAVING count(*) > 0
    ON CONFLICT (organization_id, scope, span, until) DO UPDATE SET count = known.count + excluded.count
    RETURNING 1
  )
  INSERT INTO mail_campaign_skips AS known (organization_id, campaign_id, reason, slot, skipped)
  SELECT $1::text, $2::text, reason, $3::smallint, count(*) FROM moved
   WHERE status = 'skipped' AND (SELECT count(*) FROM minute) >= 0 GROUP BY reason ORDER BY reason
  ON CONFLICT (organization_id, campaign_id, reason, slot) DO UPDATE SET skipped = known.skipped + excluded.skipped`;

const tallied = new WeakSet<Work>();

/**
 * Counts what a transaction has noted, once, as the last that it locks: in SQL, so that no answer is waited for before. A slice counts
 * in one row, by its lease, whomever it moves: two slices of a campaign wait for each other in one row at the most.
 */
export function tallyMoved(
  work: Work,
  { campaign_id, lease_id }: { campaign_id: string; lease_id: string },
): void {
  if (tallied.has(work)) return;
  tallied.add(work);
  const slot = lease_id.charCodeAt(lease_id.length - 1) % SLOTS;
  const until = Math.ceil(work.now.getTime() / 1_000) * SECOND;
  work.atCommit({ text: TALLY, values: [work.organization_id, campaign_id, slot, until], table: null });
}
