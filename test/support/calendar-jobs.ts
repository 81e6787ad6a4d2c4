import assert from 'node:assert/strict';
import type { OutsideServices } from '../../shared/platform/outside/open.ts';
import { schedulerHandlers } from '../../workers/scheduler/handlers.ts';
import type { TestApp } from './app.ts';
import { release, takeDelivery } from './deliveries.ts';
import type { GoogleFake } from './google.ts';
import { newOwner, type Person } from './people.ts';

type Waiting = { id: string; name: string; payload: unknown };

/** How a job ended: `done`, or the name of the error by which it is tried later or given up. */
export type Ended = { name: string; outcome: string };

/**
 * Runs what waits in the queue of calendars, here, one job after the other, until nothing waits that was not tried. A job
 * that fails is left in the outbox. `last_attempt`: the tries count as the last ones.
 */
export async function runCalendarJobs(
  app: TestApp,
  {
    outside = app.context.outside,
    last_attempt = false,
  }: { outside?: OutsideServices; last_attempt?: boolean } = {},
): Promise<Ended[]> {
  const handlers = new Map(schedulerHandlers({ outside }).map((handled) => [handled.job.name, handled]));
  const tried = new Set<string>();
  const ended: Ended[] = [];
  for (;;) {
    const rows = await app.database.withConnection('*', ({ query }) =>
      query<Waiting>(
        `SELECT id, name, payload FROM outbox WHERE queue = 'calendar-sync' AND id <> ALL ($1) ORDER BY id LIMIT 1`,
        [[...tried]],
      ),
    );
    const [row] = rows;
    if (!row) return ended;
    tried.add(row.id);
    const clock = app.context.now;
    const taken = await takeDelivery({ database: app.database, clock }, row.id);
    const handled = handlers.get(row.name)!;
    let settled = false;
    const delivery = {
      ...taken,
      is_last_attempt: last_attempt,
      settle: async (run: Parameters<typeof taken.settle>[0]) => {
        settled = true;
        await taken.settle(run);
      },
    };
    try {
      await handled.handle(row.payload, delivery);
      if (!settled) await taken.settle(async () => {});
      ended.push({ name: row.name, outcome: 'done' });
    } catch (error) {
      ended.push({ name: row.name, outcome: (error as Error).name });
      await release(app.database, taken);
    }
  }
}

/** Connects the account of the fake for somebody, and answers the connection. */
export async function connectGoogle(google: GoogleFake, person: Person) {
  const asked = await person.post('/scheduler/calendars/connect/google', {});
  const back = await google.consent(asked.body.authorization_url);
  const reply = await person.get(back.replace('/api/v1', ''));
  assert.equal(reply.status, 200, reply.text);
  return reply.body.connection as { id: string; status: string; [name: string]: unknown };
}

let hosts = 0;

/** An owner with a calendar of the fake that takes bookings, read once; the connection and the calendar's ID. */
export async function googleHost(app: TestApp, google: GoogleFake) {
  hosts += 1;
  const calendar = `host${hosts}@gmail.example`;
  google.account = { sub: `${hosts}`, email: calendar, scope: null };
  google.verdict = () => undefined;
  google.token_verdict = () => undefined;
  google.calendars.add(calendar);
  const owner = await newOwner(app);
  const { id } = await connectGoogle(google, owner);
  await owner.patch(`/scheduler/calendars/connections/${id}`, {
    calendars: [{ id: calendar, checks_conflicts: true, is_write_target: true }],
  });
  await runCalendarJobs(app);
  google.calls.length = 0;
  return { owner, id, calendar };
}
