import { dailyJob } from '../../shared/attendance/daily/jobs.ts';
import { recalculateJob } from '../../shared/attendance/recalculation/jobs.ts';
import { inviteBySlackJob } from '../../shared/attendance/slack/jobs.ts';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { runDaily } from './daily.ts';
import { inviteBySlack, slackHooks } from './invite-by-slack.ts';
import { recalculateRecords, recalculationHooks } from './recalculate.ts';

/** The jobs of attendance. */
export function attendanceHandlers({ outside }: { outside: OutsideServices }): Handled[] {
  return [
    handles(dailyJob, runDaily()),
    handles(recalculateJob, recalculateRecords(), recalculationHooks),
    handles(inviteBySlackJob, inviteBySlack(outside), slackHooks),
  ];
}
