import { setTimeout } from 'node:timers/promises';
import { notFound } from '../../../shared/kernel/failure.ts';
import { reasonOf } from '../../../shared/kernel/reason.ts';
import { addressOfLink } from '../../../shared/mail/guests/click.ts';
import { clickLinks, openLinks } from '../../../shared/mail/guests/links.ts';
import { guestOf, isTest } from '../../../shared/mail/guests/recipient.ts';
import { countRead } from '../../../shared/mail/reads/count.ts';
import { isRobotAgent } from '../../../shared/mail/reads/robot-agents.ts';
import type { Bare, LinkedPage, LinkedVisit } from '../../pages/kit/page.ts';

/** A picture of one transparent point. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Milliseconds that an answer waits for its count: whoever clicked goes on, also where the count has to wait for a lock. */
const COUNT_WAIT = 200;

/** The picture in a mail by which an open is counted. */
export const openPage: LinkedPage = {
  path: '/m/o/:token.gif',
  opened_by: { purpose: openLinks, for_guests: true },
  show: async (visit) => {
    await counted(visit, null);
    return { status: 200, type: 'image/gif', content: PIXEL };
  },
};

/** A link of a mail whose clicks are counted. It leads to the address that is stored with the campaign. */
export const clickPage: LinkedPage = {
  path: '/m/c/:token/:index',
  opened_by: { purpose: clickLinks, for_guests: true },
  show: async (visit): Promise<Bare> => {
    const { steps, opened, params } = visit;
    if (!/^[1-9]\d{0,5}$/.test(params['index']!)) throw notFound();
    const link = { index: Number(params['index']), base_url: steps.context.settings.baseUrl };
    const address = await steps.read(async (everywhere) => {
      const reader = { ...everywhere, organization_id: opened.organization_id };
      return addressOfLink(reader, await guestOf(reader, opened.record_id), link);
    });
    await counted(visit, link.index);
    return { status: 302, type: null, content: '', headers: { Location: address } };
  },
};

/**
 * Counts that the mail was opened, or the link of that number; null is its picture. What cannot be counted, or not at once, holds
 * nobody up: it goes on beside the answer, and the log tells of what failed.
 */
async function counted({ steps, opened, is_head, client }: LinkedVisit, link_index: number | null) {
  const { organization_id, record_id } = opened;
  if (isTest(record_id)) return;
  const is_robot = is_head || isRobotAgent(client.user_agent, steps.caller.now);
  const acting = { organization_id, may_change_nothing: true };
  const counting = steps
    .write(acting, (work) => countRead(work, record_id, { link_index, is_robot }))
    .catch((error) => {
      steps.context.log.warn({ reason: reasonOf(error) }, 'A read of a mail was not counted');
    });
  await Promise.race([counting, setTimeout(COUNT_WAIT, undefined, { ref: false })]);
}
