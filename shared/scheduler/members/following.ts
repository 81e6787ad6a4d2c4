import type { PeopleFollower } from '../../platform/access/followers.ts';
import { disconnectAllOf } from '../calendars/disconnect.ts';
import { leaveEventTypes } from '../event-types/leaving.ts';
import { endFeedsOf } from '../feeds/operations.ts';

/** Who leaves hosts nothing any more. Who comes back finds their availability and bookings as they were. */
export const schedulerPeople: PeopleFollower = {
  async joined() {},
  async left(work, { user_id }) {
    await leaveEventTypes(work, user_id);
    await disconnectAllOf(work, user_id);
    await endFeedsOf(work, user_id);
  },
  async invited() {},
  async uninvited() {},
};
