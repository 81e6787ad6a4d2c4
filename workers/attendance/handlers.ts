import { dailyJob } from '../../shared/attendance/daily/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { runDaily } from './daily.ts';

/** The jobs of attendance. */
export function attendanceHandlers(): Handled[] {
  return [handles(dailyJob, runDaily())];
}
