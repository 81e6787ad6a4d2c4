import { endMembership, nextLeaving } from '../../shared/attendance/daily/leaving.ts';
import { addMissingMembers } from '../../shared/attendance/daily/missing.ts';
import { grantDaily } from '../../shared/attendance/leave/statutory/operations.ts';
import { peopleFollowers } from '../../shared/domains.ts';
import type { Handler } from '../kernel/handler.ts';

/**
 * The daily run of an organization: makes the members that memberships lack, ends the memberships of those whose last day is over, each in a transaction of its
 * own, then grants the leave that the law asks for. What was done before a worker was killed is not found again.
 */
export function runDaily(): Handler<object> {
  return async (_, { part, settle, draining }) => {
    let isMissing = true;
    while (isMissing) {
      draining.throwIfAborted();
      await part(async (work) => {
        isMissing = await addMissingMembers(work);
      });
    }
    let after: string | null = '';
    while (after !== null) {
      draining.throwIfAborted();
      const from: string = after;
      await part(async (work) => {
        const next = await nextLeaving(work, from);
        after = next?.id ?? null;
        if (next) await endMembership(work, next, peopleFollowers);
      });
    }
    await settle(async (work) => {
      await grantDaily(work);
    });
  };
}
