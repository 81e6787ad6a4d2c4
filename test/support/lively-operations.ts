import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';
import { livelyImports, livelyMails, livelySchedules, livelyWorkers } from './lively-rest.ts';
import { clockBefore, insertRow, MINUTE, type Query } from './lively-rows.ts';

/** What a lively service left behind: rows of every kind that the operators' pages show. */
export type Lively = {
  organization_id: string;
  /** Given up, the two mails first. */
  failed: string[];
  running: string;
  import_id: string;
  unknown_mail: string;
};

/** Fills the database of a service in which much goes well and a little does not, as seen at `now`. */
export async function livelyOperations(database: Database, now: Date): Promise<Lively> {
  return database.withConnection('*', async ({ query }) => {
    const organizations = await livelyOrganizations(query, now);
    const import_id = newId('imp', clockBefore(now).date(4 * MINUTE));
    const { failed, running, import_job } = await livelyJobs(query, now, organizations, import_id);
    await livelyMinutes(query, now);
    await livelyWorkers(query, now, { organization_id: organizations[0]!, running, sending: failed[0]! });
    await livelySchedules(query, now);
    const unknown_mail = await livelyMails(query, now, organizations);
    await livelyImports(query, now, { organizations, import_id, import_job });
    return { organization_id: organizations[0]!, failed, running, import_id, unknown_mail };
  });
}

async function livelyOrganizations(query: Query, now: Date): Promise<string[]> {
  const { at, date } = clockBefore(now);
  const names = ['山田商事株式会社', 'さくら会計事務所', 'Northwind KK'];
  const ids = names.map((_, index) => newId('org', date((90 - index) * 1440 * MINUTE)));
  for (const [index, name] of names.entries()) {
    const created_at = at((90 - index) * 1440 * MINUTE);
    const slug = `office-${index}-${ids[index]!.slice(-6)}`;
    const row = { id: ids[index], name, slug, api_version: '2026-01-01' };
    await insertRow(query, 'organizations', { ...row, created_at, updated_at: created_at });
  }
  return ids;
}

const UNREACHABLE = 'The mail server does not answer: connect ECONNREFUSED 192.0.2.25:587';

async function livelyJobs(
  query: Query,
  now: Date,
  [first = '', second = '', third = '']: string[],
  import_id: string,
) {
  const { at, date } = clockBefore(now);
  const deliver = async (
    organization_id: string,
    [queue, name]: [queue: string, name: string],
    asked: number,
    more: Record<string, unknown>,
  ): Promise<string> => {
    const id = newId('dlv', date(asked));
    const row = { organization_id, id, queue, name, payload: {}, created_at: at(asked), ...more };
    await insertRow(query, 'outbox', row);
    return id;
  };
  const sending: [string, string] = ['email', 'mailer.send_mail'];
  const payload = { mail_id: newId('mail', date(9 * MINUTE)) };
  const given_up = { payload, attempts: 12, starts: 12, error: UNREACHABLE };
  const died = 'The process ended 25 times while it ran this job';
  const failed = [
    await deliver(first, sending, 52 * MINUTE, { ...given_up, failed_at: at(9 * MINUTE) }),
    await deliver(second, sending, 47 * MINUTE, { ...given_up, failed_at: at(7 * MINUTE) }),
    await deliver(third, ['report-export', 'platform.export_list_2'], 33 * MINUTE, {
      attempts: 5,
      starts: 31,
      failed_at: at(21 * MINUTE),
      error: died,
    }),
  ];
  const begun = 4 * MINUTE - 900;
  const import_job = newId('job', date(4 * MINUTE));
  const running = await deliver(first, ['csv-import', 'imports.run'], 4 * MINUTE, {
    payload: { import_id },
    job_id: import_job,
    starts: 1,
    handed_over_at: at(begun),
  });
  await deliver(second, ['report-export', 'platform.export_list_2'], 2 * MINUTE, {
    starts: 1,
    handed_over_at: at(2 * MINUTE),
  });
  const organizations = [first, second, third];
  for (let index = 0; index < 6; index++) {
    const more = { payload, starts: 1, handed_over_at: at(200) };
    await deliver(organizations[index % 3]!, sending, 400 + index * 300, more);
  }
  for (let index = 0; index < 14; index++) await deliver(second, sending, 900 + index * 120, { payload });
  await deliver(third, sending, 11 * MINUTE, {
    payload,
    attempts: 3,
    starts: 3,
    due_at: at(-3 * MINUTE),
    error: '451 4.7.1 Greylisted, try again later',
  });
  return { failed, running, import_job };
}

/** An hour of the queues: mails in waves, exports now and then, few imports. */
async function livelyMinutes(query: Query, now: Date): Promise<void> {
  const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
  for (let back = 0; back < 60; back++) {
    const wave = 1 + Math.sin(back / 6) ** 2;
    const rows = [
      {
        queue: 'email',
        done: Math.round(34 * wave + (back % 7) * 3),
        again: back % 9 === 0 ? 2 : 0,
        given_up: back === 9 ? 2 : 0,
      },
      { queue: 'csv-import', done: back % 11 === 0 ? 1 : 0, again: 0, given_up: 0 },
      {
        queue: 'report-export',
        done: back % 4 === 0 ? 2 : back % 7 === 0 ? 1 : 0,
        again: back === 25 ? 1 : 0,
        given_up: back === 21 ? 1 : 0,
      },
    ];
    const at = new Date(minute - back * MINUTE).toISOString();
    for (const row of rows) await insertRow(query, 'queue_minutes', { ...row, minute: at });
  }
}
