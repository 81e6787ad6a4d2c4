import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { fillCalendarJob, writeEntryJob } from '../../shared/scheduler/calendars/entries/jobs.ts';
import {
  disconnectJob,
  syncCalendarsJob,
  watchCalendarsJob,
} from '../../shared/scheduler/calendars/sync/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { disconnectCalendar, disconnectHooks } from './disconnect-calendar.ts';
import { fillCalendar } from './fill-calendar.ts';
import { syncCalendars, syncHooks } from './sync-calendars.ts';
import { watchCalendars } from './watch-calendars.ts';
import { entryHooks, writeEntry } from './write-entry.ts';

type Options = { outside: OutsideServices };

/** The jobs of the scheduler. */
export function schedulerHandlers({ outside }: Options): Handled[] {
  return [
    handles(syncCalendarsJob, syncCalendars(outside), syncHooks),
    handles(writeEntryJob, writeEntry(outside), entryHooks),
    handles(fillCalendarJob, fillCalendar(outside)),
    handles(watchCalendarsJob, watchCalendars(outside)),
    handles(disconnectJob, disconnectCalendar(outside), disconnectHooks),
  ];
}
