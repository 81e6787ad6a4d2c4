import { corrections } from './corrections.ts';
import { departments } from './departments.ts';
import { exports } from './exports.ts';
import { holidays } from './holidays.ts';
import { leaveBalances } from './leave-balances.ts';
import { leaveRequests } from './leave-requests.ts';
import { members } from './members.ts';
import { positions } from './positions.ts';
import { punches } from './punches.ts';
import { records } from './records.ts';
import { roster } from './roster.ts';
import { schedules } from './schedules.ts';
import { settings } from './settings.ts';
import { slack } from './slack.ts';
import { terms } from './terms.ts';

export const attendance = [
  ...members,
  ...slack,
  ...terms,
  ...departments,
  ...positions,
  ...schedules,
  ...roster,
  ...holidays,
  ...settings,
  ...punches,
  ...records,
  ...corrections,
  ...leaveRequests,
  ...leaveBalances,
  ...exports,
];
