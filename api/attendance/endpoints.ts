import { corrections } from './corrections.ts';
import { departments } from './departments.ts';
import { exports } from './exports.ts';
import { holidays } from './holidays.ts';
import { imports } from './imports.ts';
import { leaveBalances } from './leave-balances.ts';
import { leaveRequests } from './leave-requests.ts';
import { members } from './members.ts';
import { openingMonths } from './opening-months.ts';
import { overtimeRequests } from './overtime-requests.ts';
import { overview } from './overview.ts';
import { positions } from './positions.ts';
import { preview } from './preview.ts';
import { punches } from './punches.ts';
import { records } from './records.ts';
import { reports } from './reports.ts';
import { roster } from './roster.ts';
import { schedules } from './schedules.ts';
import { settings } from './settings.ts';
import { slack } from './slack.ts';
import { submissions } from './submissions.ts';
import { terms } from './terms.ts';

export const attendance = [
  ...overview,
  ...members,
  ...slack,
  ...terms,
  ...openingMonths,
  ...departments,
  ...positions,
  ...schedules,
  ...roster,
  ...holidays,
  ...settings,
  ...punches,
  ...records,
  ...preview,
  ...imports,
  ...corrections,
  ...overtimeRequests,
  ...leaveRequests,
  ...leaveBalances,
  ...submissions,
  ...reports,
  ...exports,
];
