import { newId } from '../../shared/kernel/id.ts';
import { clockBefore, insertRow, MINUTE, type Query } from './lively-rows.ts';

type Busy = { organization_id: string; running: string; sending: string };

/** Two processes, each with a job in hand. */
export async function livelyWorkers(query: Query, now: Date, busy: Busy): Promise<void> {
  const { at } = clockBefore(now);
  const { organization_id } = busy;
  const both = { host: 'office-1', engine: 'postgres', started_at: at(31 * 60 * MINUTE), beat_at: at(1_800) };
  await insertRow(query, 'worker_processes', {
    ...both,
    id: 'one',
    name: 'workers',
    pid: 4211,
    memory_bytes: 121_634_816,
    queues: ['email', 'signing-reminder', 'calendar-sync', 'pdf-render'],
    running: [{ job: 'mailer.send_mail', delivery_id: busy.sending, organization_id, since: at(300) }],
  });
  await insertRow(query, 'worker_processes', {
    ...both,
    id: 'two',
    name: 'workers-bulk',
    pid: 4212,
    memory_bytes: 196_083_712,
    queues: ['csv-import', 'report-export'],
    running: [
      { job: 'imports.run', delivery_id: busy.running, organization_id, since: at(4 * MINUTE - 900) },
    ],
  });
}

/** Schedules that went well, and one that cannot reach the store of files. */
export async function livelySchedules(query: Query, now: Date): Promise<void> {
  const { at } = clockBefore(now);
  const sweep = (
    name: string,
    [every, begun, took]: [every: number, begun: number, took: number],
    last_count: number,
    more: Record<string, unknown> = {},
  ) => {
    const finished_at = at(begun - took);
    const row = { name, every_milliseconds: every, started_at: at(begun), finished_at, last_count };
    return insertRow(query, 'sweeps', { ...row, succeeded_at: finished_at, ...more });
  };
  await sweep('event_positions', [1_000, 700, 4], 0);
  await sweep('expired_idempotency_keys', [10 * MINUTE, 6 * MINUTE, 38], 412);
  await sweep('job_files', [60 * MINUTE, 22 * MINUTE, 1_240], 17);
  await sweep('expired_invoicing_draft_prints', [60 * MINUTE, 41 * MINUTE, 9], 3);
  await sweep('calendar_secrets', [60 * MINUTE, 41 * MINUTE, 964], 0);
  await sweep('expired_sessions', [60 * MINUTE, 41 * MINUTE, 9], 3);
  await sweep('mail_contacts_search', [5_000, 3_100, 640], 20_000);
  await sweep('loose_files', [60 * MINUTE, 18 * MINUTE, 30_020], 0, {
    succeeded_at: at(78 * MINUTE),
    failed_at: at(17 * MINUTE),
    last_error: 'The store does not answer: getaddrinfo ENOTFOUND files.office.example',
  });
}

/** Mails that failed, wait, were sent, and one of which nobody knows; answers the ID of that one. */
export async function livelyMails(
  query: Query,
  now: Date,
  [first, second, third]: readonly string[],
): Promise<string> {
  const { at, date } = clockBefore(now);
  const letter = async (
    organization_id: string | undefined,
    [purpose, status, minutes]: [purpose: string, status: string, minutes: number],
    error: string | null,
  ) => {
    const id = newId('mail', date(minutes * MINUTE));
    const created_at = at(minutes * MINUTE);
    const times = { created_at, updated_at: created_at };
    const row = { organization_id, id, purpose, about: {}, locale: 'ja', status, attempts: 1, error };
    await insertRow(query, 'mails', { ...row, ...times });
    return id;
  };
  const nobody = '550 5.1.1 The account that you tried to reach does not exist';
  await letter(first, ['invitation', 'failed', 64], nobody);
  await letter(third, ['email_verification', 'queued', 11], '451 4.7.1 Greylisted, try again later');
  await letter(third, ['email_verification', 'sent', 12], null);
  const silence = 'Nothing was heard after the text was handed over: timeout';
  return letter(second, ['password_reset', 'unknown', 38], silence);
}

type ImportsOf = { organizations: readonly string[]; import_id: string; import_job: string };

/** Imports that run, ended and are paused; the running one has met faulty rows. */
export async function livelyImports(
  query: Query,
  now: Date,
  { organizations, import_id, import_job }: ImportsOf,
): Promise<void> {
  const { at, date } = clockBefore(now);
  const [first, second, third] = organizations;
  const bring = (row: Record<string, unknown>, minutes: number) => {
    const asked = at(minutes * MINUTE);
    const file = { file_name: 'list.csv', options: {}, on_conflict: 'update', dry_run: false };
    const who = { actor_type: 'user', actor_id: 'usr_x' };
    const times = { created_at: asked, started_at: asked, updated_at: at(1_000) };
    return insertRow(query, 'imports', { ...file, ...who, ...times, ...row });
  };
  await bring(
    {
      organization_id: first,
      id: import_id,
      kind: 'mail.contacts',
      job_id: import_job,
      status: 'running',
      file_bytes: 61_204_118,
      encoding: 'shift_jis',
      delimiter: 'comma',
      has_header: true,
      checkpoint_byte: 41_330_212,
      checkpoint_row: 676_001,
      processed_rows: 676_000,
      created_count: 641_207,
      updated_count: 21_114,
      unchanged_count: 9_420,
      duplicate_count: 3_871,
      suppressed_count: 204,
      error_count: 184,
      running_milliseconds: 11_720,
    },
    4,
  );
  await bring(
    {
      organization_id: second,
      id: newId('imp', date(52 * MINUTE)),
      kind: 'crm.companies',
      status: 'completed',
      file_bytes: 1_204_118,
      encoding: 'utf-8',
      delimiter: 'comma',
      error_count: 4,
      total_rows: 8_214,
      processed_rows: 8_214,
      created_count: 8_020,
      updated_count: 190,
      running_milliseconds: 6_400,
      finished_at: at(51 * MINUTE),
    },
    52,
  );
  await bring(
    {
      organization_id: third,
      id: newId('imp', date(180 * MINUTE)),
      kind: 'mail.contacts',
      status: 'paused',
      file_bytes: 4_004_118,
      encoding: 'utf-16le',
      delimiter: 'tab',
      checkpoint_byte: 1_201_004,
      checkpoint_row: 20_001,
      processed_rows: 20_000,
      created_count: 20_000,
      running_milliseconds: 900,
    },
    180,
  );
  for (let index = 0; index < 184; index++) {
    const is_width = index % 5 === 0;
    await insertRow(query, 'import_errors', {
      organization_id: first,
      import_id,
      id: newId('ierr', date(3 * MINUTE)),
      row: 120 + index * 3_677,
      code: is_width ? 'column_count' : 'invalid_email',
      column: is_width ? null : 'メールアドレス',
      message: 'is not an address',
      cells: ['花子の住所'],
    });
  }
}
