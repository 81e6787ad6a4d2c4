import { oneOf } from '../../../db/one-of.ts';
import { notFound } from '../../../kernel/failure.ts';
import type { Reader } from '../../../kernel/reader.ts';
import type { Page, Window } from '../../../kernel/window.ts';
import { membersByCode } from '../../members/by-code.ts';
import { todayOf } from '../../settings/queries.ts';
import { membersSeen, ownMemberId, type Whose } from '../../sight/sight.ts';
import { leaveOf } from '../accounts.ts';
import { datedTermsOf } from '../dated-terms.ts';
import type { BalanceType } from '../kinds.ts';
import { fiveDayAtRisk } from './at-risk.ts';
import { balanceOfMember, type Holder } from './compute.ts';
import type { LeaveBalance, LeaveBalanceOfMember } from './record.ts';

/** Of which kind of leave, and as of which day: today unless said. */
export type BalanceAsked = { type?: BalanceType | undefined; as_of?: string | undefined };

/** The balances of members, in their order. */
export async function balancesOf(
  reader: Reader,
  holders: readonly Holder[],
  { type = 'paid_annual', as_of }: BalanceAsked,
): Promise<LeaveBalance[]> {
  const today = await todayOf(reader);
  const ids = holders.map(({ id }) => id);
  const [leave, termsOf] = await Promise.all([
    leaveOf(reader, ids, { today: as_of ?? today }),
    datedTermsOf(reader, ids),
  ]);
  return holders.map((holder) =>
    balanceOfMember(holder, leave(holder.id), termsOf(holder.id), { type, as_of: as_of ?? today }),
  );
}

/** The balance of who asks. Errors: `not_found` for who is no member. */
export async function ownBalance(reader: Reader, asked: BalanceAsked): Promise<LeaveBalance> {
  const own = await ownMemberId(reader);
  const [holder] = own === null ? [] : await holdersOf(reader, [own]);
  if (!holder) throw notFound();
  return (await balancesOf(reader, [holder], asked))[0]!;
}

/** The balance of one member. */
export async function balanceOf(
  reader: Reader,
  member_id: string,
  asked: BalanceAsked,
): Promise<LeaveBalance> {
  return (await balancesOf(reader, await holdersOf(reader, [member_id]), asked))[0]!;
}

function holdersOf({ connection, organization_id }: Reader, ids: readonly string[]): Promise<Holder[]> {
  return connection.query<Holder>(
    `SELECT id, hired_on, left_on FROM attendance_members
      WHERE organization_id = $1 AND id = ${oneOf('$2')} ORDER BY id`,
    [organization_id, ids],
  );
}

export type BalanceFilters = BalanceAsked & Whose & { at_risk?: 'five_day' };

/**
 * A window of the members whose days the caller may read, each with their balance. `at_risk` leaves those whose five days
 * are not taken yet; they are found among all before a page is read.
 */
export async function balancePage(
  reader: Reader,
  { type, as_of, at_risk, ...whose }: BalanceFilters,
  window: Window,
): Promise<Page<LeaveBalanceOfMember>> {
  const asked = { type, as_of };
  const seen = await membersSeen(reader, whose);
  const ids = at_risk === undefined ? seen : await fiveDayAtRisk(reader, seen, as_of);
  const page = await membersByCode(reader, ids, window);
  const balances = await balancesOf(reader, page.rows, asked);
  return { ...page, rows: balances.map((balance) => ({ id: balance.member_id, ...balance })) };
}
