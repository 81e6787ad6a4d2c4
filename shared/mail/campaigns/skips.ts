import type { Work } from '../../kernel/work.ts';
import { SLOTS } from './counts.ts';

/** Counts recipients who are skipped, by their reasons. It is among the last that a transaction locks. */
export function countSkips(
  work: Work,
  recipient: { campaign_id: string; number: number },
  reasons: readonly string[],
): void {
  if (reasons.length === 0) return;
  const counts = [...Map.groupBy(reasons, (reason) => reason)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  );
  work.run(
    `INSERT INTO mail_campaign_skips AS known (organization_id, campaign_id, reason, slot, skipped)
     SELECT $1, $2, reason, $3, skipped FROM unnest($4::text[], $5::integer[]) AS given (reason, skipped)
     ON CONFLICT (organization_id, campaign_id, reason, slot) DO UPDATE SET skipped = known.skipped + excluded.skipped`,
    [
      work.organization_id,
      recipient.campaign_id,
      recipient.number % SLOTS,
      counts.map(([reason]) => reason),
      counts.map(([, each]) => each.length),
    ],
  );
}
