import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import type { Sweep } from '../../platform/sweeps/sweep.ts';
import { startCampaignJob } from './jobs.ts';

/** Campaigns of one look. */
const LOOK = 200;

type Due = { organization_id: string; id: string };

/** Due at `$1`, and nobody has asked yet for what starts it, or that was given up. */
const IS_DUE = `status = 'scheduled' AND scheduled_at <= $1::timestamptz
  AND NOT EXISTS (SELECT FROM outbox WHERE outbox.organization_id = campaign.organization_id
    AND outbox.id = campaign.start_delivery_id AND outbox.failed_at IS NULL)`;

/** Has scheduled campaigns begin: a job each, since the checks of one may take a while. */
export const dueCampaigns: Sweep = {
  name: 'campaigns_due',
  description: { en: 'Has scheduled mail campaigns begin', ja: '予約されたキャンペーンを開始します' },
  every: 10_000,
  run: (database, now, signal) =>
    eachDue<Due>(
      {
        size: LOOK,
        signal,
        fault: 'due campaigns failed',
        look: (after) =>
          database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
            query<Due>(
              `SELECT organization_id, id FROM mail_campaigns AS campaign
                WHERE ${IS_DUE} AND (organization_id, id) > ($2, $3) ORDER BY organization_id, id LIMIT ${LOOK}`,
              [now.toISOString(), after?.organization_id ?? '', after?.id ?? ''],
            ),
          ),
      },
      (due) => askForStart(database, due, now),
    ),
};

function askForStart(database: Database, { organization_id, id }: Due, now: Date): Promise<boolean> {
  const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
  return database.withConnection(organization_id, (connection) =>
    inWork(
      { ...who, connection, now },
      async (work) => {
        const [found] = await connection.query(
          `SELECT FROM mail_campaigns AS campaign WHERE ${IS_DUE} AND organization_id = $2 AND id = $3
            FOR UPDATE SKIP LOCKED`,
          [now.toISOString(), organization_id, id],
        );
        if (!found) return false;
        const start_delivery_id = work.enqueue(startCampaignJob, { campaign_id: id });
        work.run('UPDATE mail_campaigns SET start_delivery_id = $3 WHERE organization_id = $1 AND id = $2', [
          organization_id,
          id,
          start_delivery_id,
        ]);
        return true;
      },
      { may_change_nothing: true },
    ),
  );
}
