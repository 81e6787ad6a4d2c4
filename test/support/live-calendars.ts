import type { TestApp } from './app.ts';
import { connectGoogle, runCalendarJobs } from './calendar-jobs.ts';
import type { GoogleFake } from './google.ts';
import type { Person } from './people.ts';

/** What a test does to calendars of Google that are asked live. */
export type LiveCalendars = {
  /** Gives a member a calendar of Google that was read just now. */
  withCalendar<Who extends Person>(person: Who): Promise<Who & { calendar: string }>;
  /** Puts an event into a calendar, in milliseconds since 1970; rows do not know it yet. */
  put(calendar: string, id: string, start: number, end: number): void;
  /** Says that what was read of all calendars is older than may count. */
  grownOld(): Promise<unknown>;
};

/** The calendars of the members of an app, at the fake. */
export function liveCalendars(app: TestApp, google: GoogleFake): LiveCalendars {
  let serial = 0;
  return {
    async withCalendar(person) {
      serial += 1;
      const calendar = `live${serial}@gmail.example`;
      google.account = { sub: `live${serial}`, email: calendar, scope: null };
      google.verdict = () => undefined;
      google.token_verdict = () => undefined;
      google.calendars.add(calendar);
      const { id } = await connectGoogle(google, person);
      await person.patch(`/scheduler/calendars/connections/${id}`, {
        calendars: [{ id: calendar, checks_conflicts: true, is_write_target: true }],
      });
      await app.database.withConnection('*', ({ query }) =>
        query(`UPDATE scheduler_calendars SET checks_conflicts = id = $2 WHERE connection_id = $1`, [
          id,
          calendar,
        ]),
      );
      await runCalendarJobs(app);
      return { ...person, calendar };
    },
    put(calendar, id, start, end) {
      const [from, to] = [start, end].map((at) => ({ dateTime: new Date(at).toISOString() }));
      google.calendars.put(calendar, { id, status: 'confirmed', start: from, end: to });
    },
    grownOld: () =>
      app.database.withConnection('*', ({ query }) =>
        query(`UPDATE scheduler_calendars SET last_synced_at = last_synced_at - interval '6 minutes'`),
      ),
  };
}
