import { dailyJob } from '../../shared/attendance/daily/jobs.ts';
import { recalculateJob } from '../../shared/attendance/recalculation/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { runDaily } from './daily.ts';
import { recalculateRecords, recalculationHooks } from './recalculate.ts';

/** The jobs of attendance. */
export function attendanceHandlers(): Handled[] {
  return [handles(dailyJob, runDaily()), handles(recalculateJob, recalculateRecords(), recalculationHooks)];
}
