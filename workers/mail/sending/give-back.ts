import { reasonOf } from '../../../shared/kernel/reason.ts';
import type { Work } from '../../../shared/kernel/work.ts';
import { LEASE, renewLeases } from '../../../shared/mail/sending/mark.ts';
import { releaseMarked } from '../../../shared/mail/sending/release.ts';
import { type Settlement, settleRecipients } from '../../../shared/mail/sending/settle.ts';
import type { Delivery } from '../../kernel/handler.ts';
import { inOnePatiently } from './in-one.ts';
import type { Judge } from './judged.ts';
import type { Lane } from './lane.ts';
import { statusOf } from './opened.ts';

/** Milliseconds after which it is looked whether what is under way has ended. */
const LOOK = 500;

/** What a slice has in hand when a fault ends it. `unsettled`: what it knew and could not write. */
export type LeftInHand = {
  campaign_id: string;
  lease_id: string;
  lane: Lane;
  judge: Judge;
  unsettled: readonly Settlement[];
};

/**
 * Queues again, as they were, the rows that a commit had marked of which this process never heard: their mails were not written. Before
 * what is unsettled is written, and beside mails in hand, answered ones too.
 */
export async function giveLostBack(
  { campaign_id, lease_id, lane, unsettled }: LeftInHand,
  work: Work,
): Promise<void> {
  const place = { campaign_id, lease_id, status: await statusOf(work, campaign_id) };
  await releaseMarked(work, place, [...lane.numbers(), ...unsettled.map(({ number }) => number)]);
}

/**
 * Gives back what a slice has in hand that ends by a fault: mails that the server has are recorded when it has answered, all others
 * never reached it and are queued as they were. Throws nothing: where the database is away for longer, the leases end.
 */
export async function giveBack(
  { campaign_id, lease_id, lane, judge, unsettled }: LeftInHand,
  delivery: Delivery,
): Promise<void> {
  try {
    lane.withdraw();
    for (let renewed_at = 0; lane.under_way > 0 && !delivery.signal.aborted; lane.withdraw()) {
      const now = delivery.clock().getTime();
      if (now - renewed_at > LEASE / 3) {
        renewed_at = now;
        await inOnePatiently(delivery, async (work) =>
          renewLeases(work, campaign_id, lane.numbers(), lease_id),
        );
      }
      await lane.changed(lane.under_way + lane.answers, LOOK);
    }
    const { settlements } = judge.judge(lane.takeAnswers(), delivery.clock());
    await inOnePatiently(delivery, async (work) => {
      const place = { campaign_id, lease_id, status: await statusOf(work, campaign_id) };
      await settleRecipients(work, place, [...unsettled, ...settlements]);
      await releaseMarked(work, place, lane.numbers());
    });
  } catch (error) {
    delivery.log.error(
      { campaign_id, reason: reasonOf(error) },
      'What a slice had in hand is not given back',
    );
  }
}
