import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { expiry, HOUR } from '../../platform/sweeps/expiry.ts';
import type { Sweep } from '../../platform/sweeps/sweep.ts';
import { moveCounts } from '../campaigns/counts.ts';
import { sendSliceJob } from './jobs.ts';
import { SECOND } from './limits.ts';

/** Campaigns of one look, and rows of one transaction. */
const LOOK = 200;
const ROWS = 500;

type Campaign = { organization_id: string; id: string };

/** Has campaigns under way go on whose slice was lost, and ends leases that have run out. */
export const slices: Sweep = {
  name: 'campaign_slices',
  description: {
    en: 'Has mail campaigns go on, and ends mails whose worker died: whether they arrived is unknown',
    ja: 'キャンペーンを進め、ワーカーが停止したメールを終わらせます（届いたかどうかは不明になります）',
  },
  every: 2_000,
  run: async (database, now, signal) => {
    const ended = await eachCampaign(database, now, signal, { look: WITH_ENDED_LEASES, act: endLeases });
    return ended + (await eachCampaign(database, now, signal, { look: WITHOUT_SLICE, act: renew }));
  },
};

/** What limits counted is of no use after a day, a domain's speed after the time in which it has doubled to none. */
export const sendingExpiries: readonly Sweep[] = [
  {
    name: 'expired_mail_send_spans',
    description: { en: 'Removes how many mails left a day ago', ja: '1日前の送信数の記録を削除します' },
    every: HOUR,
    run: async (database, now) => {
      const before = (now.getTime() - 25 * HOUR) * (SECOND / 1_000);
      const rows = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
        query('DELETE FROM mail_send_spans WHERE until < $1 RETURNING 1', [before]),
      );
      return rows.length;
    },
  },
  expiry({
    table: 'mail_domain_speeds',
    column: 'changed_at',
    age: 4 * HOUR,
    every: HOUR,
    description: {
      en: 'Forgets which domains wanted fewer mails',
      ja: '送信の抑制を求めたドメインの記録を削除します',
    },
  }),
];

/** One that was given up has paused its campaign; where that goes on again, another is asked for beside it. */
const WITHOUT_SLICE = `
  SELECT organization_id, id FROM mail_campaigns AS campaign
   WHERE status = 'sending' AND frozen_at IS NOT NULL AND (organization_id, id) > ($1, $2)
     AND NOT EXISTS (SELECT FROM outbox WHERE queue = '${sendSliceJob.queue}'
       AND outbox.organization_id = campaign.organization_id AND name = '${sendSliceJob.name}' AND failed_at IS NULL
       AND payload ->> 'campaign_id' = campaign.id)
   ORDER BY organization_id, id LIMIT ${LOOK}`;

const WITH_ENDED_LEASES = `
  SELECT DISTINCT organization_id, campaign_id AS id FROM mail_campaign_recipients
   WHERE status = 'sending' AND lease_until <= $3::timestamptz AND (organization_id, campaign_id) > ($1, $2)
   ORDER BY 1, 2 LIMIT ${LOOK}`;

async function eachCampaign(
  database: Database,
  now: Date,
  signal: AbortSignal,
  { look, act }: { look: string; act: (work: Work, campaign_id: string) => Promise<number> },
): Promise<number> {
  let count = 0;
  await eachDue<Campaign>(
    {
      size: LOOK,
      signal,
      fault: 'campaigns could not go on',
      look: (after) =>
        database.withConnection(EVERY_ORGANIZATION, ({ query }) => {
          const values = [after?.organization_id ?? '', after?.id ?? ''];
          return query<Campaign>(look, look.includes('$3') ? [...values, now.toISOString()] : values, {
            prepared: false,
          });
        }),
    },
    async ({ organization_id, id }) => {
      const who = { actor: systemActor, organization_id, request_id: null, ip_address: null };
      const done = await database.withConnection(organization_id, (connection) =>
        inWork({ ...who, connection, now }, (work) => act(work, id), { may_change_nothing: true }),
      );
      count += done;
      return done > 0;
    },
  );
  return count;
}

async function renew(work: Work, campaign_id: string): Promise<number> {
  work.enqueue(sendSliceJob, { campaign_id });
  return 1;
}

/** Whose worker died in the middle is not known to have arrived, and is not sent again by itself. */
async function endLeases(work: Work, campaign_id: string): Promise<number> {
  const rows = await work.connection.query<{ number: number }>(
    `UPDATE mail_campaign_recipients AS row
        SET status = 'unknown', reason = 'worker_died', attempts = attempts + 1, next_attempt_at = NULL,
            lease_until = NULL, updated_at = $3
      WHERE organization_id = $1 AND campaign_id = $2 AND number IN (
        SELECT number FROM mail_campaign_recipients
         WHERE organization_id = $1 AND campaign_id = $2 AND status = 'sending' AND lease_until <= $3
         ORDER BY number LIMIT ${ROWS} FOR UPDATE SKIP LOCKED)
     RETURNING number`,
    [work.organization_id, campaign_id, work.now.toISOString()],
  );
  const [first] = rows;
  if (first)
    moveCounts(work, { campaign_id, number: first.number }, { sending: -rows.length, unknown: rows.length });
  return rows.length;
}
