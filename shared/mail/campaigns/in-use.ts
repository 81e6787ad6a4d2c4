import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';

/** Its recipients are not settled yet: they follow from the lists and the segment that it names. */
const TO_BEGIN = `(status = 'scheduled' OR (status IN ('sending', 'paused') AND frozen_at IS NULL))`;

const naming = {
  list: '(list_ids @> ARRAY[$2::text] OR exclude_list_ids @> ARRAY[$2::text])',
  segment: 'segment_id = $2',
};

/** Campaigns that a refusal names. */
const MOST_NAMED = 10;

/**
 * Refuses to remove a locked list or segment that a campaign names whose recipients are not settled. Whoever schedules a campaign
 * holds them, so none begins to meanwhile. Errors: `in_use` with `campaign_ids`.
 */
export async function refuseNamed(work: Work, what: keyof typeof naming, id: string): Promise<void> {
  const rows = await work.connection.query<{ id: string }>(
    `SELECT id FROM mail_campaigns WHERE organization_id = $1 AND ${naming[what]} AND ${TO_BEGIN}
      ORDER BY id LIMIT ${MOST_NAMED}`,
    [work.organization_id, id],
  );
  if (rows.length === 0) return;
  const campaign_ids = rows.map((row) => row.id);
  throw new Failure('in_use', {
    detail: {
      en: `Campaigns are to be sent to it: ${campaign_ids.join(', ')}`,
      ja: `配信予定のキャンペーンが使っています：${campaign_ids.join('、')}`,
    },
    members: { campaign_ids },
  });
}
