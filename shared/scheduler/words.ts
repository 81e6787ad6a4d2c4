import { words } from '../kernel/vocabulary.ts';

/** The words of the scheduler. Words are never renamed: callers store them. */
export const schedulerWords = words({
  prefixes: {
    event_type: 'etype',
    availability: 'avail',
    booking: 'book',
    booking_session: 'bsess',
    booking_hold: 'bhold',
    proposal: 'prop',
    calendar_connection: 'ccon',
    calendar_event: 'cevt',
    feed: 'feed',
  },
  failures: {},
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    scheduler: typeof schedulerWords;
  }
}
