import { daysLater } from '../../../kernel/days.ts';
import { figuresOf, type GrantFigures } from './figures.ts';
import { dutyWindowOn, type FiveDay, fiveDayOn, fiveDayWithin } from './five-day.ts';
import { hourlyCapLeft } from './hourly-cap.ts';
import { daysOfHalves, halvesOf } from './room.ts';
import { allocate, type DatedUse, type Grant, holdsOn, type Taking } from './uses.ts';

/** Days ahead for which grants that expire are named. */
const EXPIRING_DAYS = 90;

/** A live request of one kind of leave. */
export type LiveTaking = Taking & { status: 'pending' | 'approved' };

/** All that one member has of one kind of leave. */
export type LeaveAccount<G extends Grant = Grant> = {
  grants: readonly G[];
  takings: readonly LiveTaking[];
  /** Those of the schedule. */
  hours_per_day: number;
};

/** What is left of one member's leave of one kind as of a day. */
export type Balance<G extends Grant = Grant> = {
  total_remaining_days: number;
  remaining_hours: number;
  /** Null before the first grant. */
  hourly_cap_left_hours: number | null;
  five_day: FiveDay | null;
  /** Those that end within 90 days and have something left. */
  expiring: Counted<G>[];
  /** Those made by that day, the oldest first. */
  grants: Counted<G>[];
};

/** A grant with what was taken of it. */
export type Counted<G extends Grant> = { grant: G; figures: GrantFigures };

/** Whether a use is of an approved request, and its day not after `as_of`. */
export function usedBy(takings: readonly LiveTaking[], as_of: string): (use: DatedUse) => boolean {
  const approved = new Set(takings.filter(({ status }) => status === 'approved').map(({ id }) => id));
  return ({ request_id, date }) => approved.has(request_id) && date <= as_of;
}

/** The balance of an account as of a day. Grants of later days are not known then; requests are. */
export function balanceOn<G extends Grant>(account: LeaveAccount<G>, as_of: string): Balance<G> {
  const { hours_per_day, takings } = account;
  const { uses } = allocate(account.grants, takings, hours_per_day);
  const isUsed = usedBy(takings, as_of);
  const grants = account.grants
    .filter(({ granted_on }) => granted_on <= as_of)
    .toSorted((a, b) => (a.granted_on < b.granted_on ? -1 : a.granted_on > b.granted_on ? 1 : 0))
    .map((grant) => ({ grant, figures: figuresOf(grant, uses, isUsed, { as_of, hours_per_day }) }));
  const living = grants.filter(({ grant }) => holdsOn(grant, as_of));
  const last = daysLater(as_of, EXPIRING_DAYS);
  const halves = living.reduce((sum, { figures }) => sum + halvesOf(figures.remaining_days), 0);
  return {
    total_remaining_days: daysOfHalves(halves),
    remaining_hours: living.reduce((sum, { figures }) => sum + figures.remaining_hours, 0),
    hourly_cap_left_hours: capLeft(account, as_of),
    five_day: fiveDayOn(account.grants, uses.filter(isUsed), as_of),
    expiring: living.filter(
      ({ grant, figures }) =>
        grant.expires_on! <= last && figures.remaining_days + figures.remaining_hours > 0,
    ),
    grants,
  };
}

/** The duty of an account as of a day, without the rest of its balance; null where no window holds the day. */
export function dutyOn({ grants, takings, hours_per_day }: LeaveAccount, as_of: string): FiveDay | null {
  const window = dutyWindowOn(grants, as_of);
  if (window === null) return null;
  const { uses } = allocate(grants, takings, hours_per_day);
  return fiveDayWithin(window, uses.filter(usedBy(takings, as_of)));
}

/** The hours of the year of a day that may still be taken; null before the first grant. */
export function capLeft({ grants, takings, hours_per_day }: LeaveAccount, day: string): number | null {
  const first = grants.map(({ granted_on }) => granted_on).toSorted()[0];
  if (first === undefined || day < first) return null;
  return hourlyCapLeft(
    first,
    takings.flatMap(({ days }) => days),
    day,
    hours_per_day,
  );
}
