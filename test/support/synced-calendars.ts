import type { TestApp } from './app.ts';
import { connectGoogle, runCalendarJobs } from './calendar-jobs.ts';
import type { GoogleFake } from './google.ts';
import { newOwner, type Person } from './people.ts';

type Owner = Person & { organization_id: string };

export const CONNECTIONS = '/scheduler/calendars/connections';

/** Owners with a calendar of the fake each, and what is known of them. */
export function syncedCalendars(app: TestApp, google: GoogleFake) {
  let serial = 0;

  /** An owner whose account has one calendar of its own, which was read once. */
  async function synced(events: object[] = []) {
    serial += 1;
    const calendar = `person${serial}@gmail.example`;
    google.account = { sub: `${serial}`, email: calendar, scope: null };
    google.verdict = () => undefined;
    google.token_verdict = () => undefined;
    google.calendars.add(calendar);
    for (const event of events) google.calendars.put(calendar, event as never);
    const owner = await newOwner(app);
    const { id } = await connectGoogle(google, owner);
    await owner.patch(`${CONNECTIONS}/${id}`, {
      calendars: [
        ...(await connectionOf(owner)).calendars.map((one: { id: string }) => ({
          id: one.id,
          checks_conflicts: one.id === calendar,
        })),
      ],
    });
    await runCalendarJobs(app);
    return { owner, id, calendar };
  }

  const connectionOf = async (owner: Owner) => (await owner.get(CONNECTIONS)).body.items[0];

  /** The busy times of a connection by their keys, in their order. */
  async function busyOf(id: string): Promise<[string, string, string, boolean][]> {
    const rows = await app.database.withConnection('*', ({ query }) =>
      query<{ external_key: string; start: string; end: string; all_day: boolean }>(
        `SELECT external_key, "start", "end", all_day FROM scheduler_external_events WHERE connection_id = $1
          ORDER BY external_key`,
        [id],
      ),
    );
    return rows.map((row) => [row.external_key, row.start, row.end, row.all_day]);
  }

  const keysOf = async (id: string) => (await busyOf(id)).map(([key]) => key);

  return { synced, connectionOf, busyOf, keysOf };
}

/** An hour of a day to come. */
export const at = (hour: number) => new Date(Date.UTC(2027, 0, 12, hour)).toISOString();

/** An event of Google that lasts an hour. */
export function event(id: string, hour: number, fields: object = {}) {
  return {
    id,
    status: 'confirmed',
    summary: '打ち合わせ',
    start: { dateTime: at(hour) },
    end: { dateTime: at(hour + 1) },
    ...fields,
  };
}
