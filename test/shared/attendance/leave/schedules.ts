import { type ScheduleTimes, timesOf } from '../../../../shared/attendance/days/schedule-times.ts';

type Span = { start: string; end: string };

function times(window: Span, breaks: Span[], half_day: { am_end: string; pm_start: string }): ScheduleTimes {
  const minutes = 480;
  return timesOf({ id: 'wsch_1', ...window, breaks, minutes, half_day, core: null, is_default: true });
}

/** 09:00 to 18:00 with an hour from 12:00. */
export const office = times({ start: '09:00', end: '18:00' }, [{ start: '12:00', end: '13:00' }], {
  am_end: '12:00',
  pm_start: '13:00',
});

/** 22:00 to 07:00 of the next day with an hour from 02:00. */
export const night = times({ start: '22:00', end: '07:00' }, [{ start: '02:00', end: '03:00' }], {
  am_end: '02:00',
  pm_start: '03:00',
});
