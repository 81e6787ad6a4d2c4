import { z } from 'zod';
import { day, id } from '../../../kernel/schema.ts';
import { LeaveGrant } from '../grants/record.ts';
import { balanceTypes } from '../kinds.ts';

const days = (count: number) => z.number().meta({ examples: [count] });
const hours = (count: number) => z.int().meta({ examples: [count] });

const FiveDay = z
  .strictObject({
    window_start: day(),
    window_end: day().describe('The last day.'),
    months: z
      .number()
      .describe('A begun month counts by its days.')
      .meta({ examples: [12] }),
    required_days: days(5),
    taken_days: days(2.5).describe('Whole and half days; hours do not count.'),
    met: z.boolean(),
  })
  .meta({ id: 'LeaveFiveDay' });

const Expiring = z.strictObject({
  grant_id: id('lgrant'),
  expires_on: day(),
  remaining_days: days(4),
  remaining_hours: hours(0),
});

const NextGrant = z.strictObject({ granted_on: day(), days: days(11) });

const balance = {
  object: z.literal('attendance.leave_balance'),
  member_id: id('mem'),
  type: z.enum(balanceTypes),
  as_of: day(),
  total_remaining_days: days(7).describe(
    'What can be taken on that day; requests of later days are taken off.',
  ),
  remaining_hours: hours(3),
  hours_per_day: hours(8).describe('The hours that a day of leave opens as.'),
  hourly_cap_left_hours: hours(27)
    .nullable()
    .describe('Of the five days a year that may be taken by the hour; null before the first grant.'),
  next_grant: NextGrant.nullable().describe('By law, if enough is attended until then.'),
  five_day: FiveDay.nullable().describe('The duty of article 39(7); null without a grant of ten days.'),
  expiring: z.array(Expiring).describe('What ends within 90 days.'),
  grants: z.array(LeaveGrant).describe('Those made by that day, the oldest first.'),
};

/** What a member has of one kind of leave as of a day, as the API shows it. */
export const LeaveBalance = z.strictObject(balance).meta({ id: 'LeaveBalance' });

export type LeaveBalance = z.output<typeof LeaveBalance>;

/** The same in a list of members, under the ID of the member. */
export const LeaveBalanceOfMember = z
  .strictObject({ id: id('mem'), ...balance })
  .meta({ id: 'LeaveBalanceOfMember' });

export type LeaveBalanceOfMember = z.output<typeof LeaveBalanceOfMember>;
