/** What calendars are answered as. */
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';
