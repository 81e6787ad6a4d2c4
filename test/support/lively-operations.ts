import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';

/** What a lively service left behind: rows of every kind that the operators' pages show. */
export type Lively = {
  organization_id: string;
  failed: string[];
  running: string;
  import_id: string;
  unknown_mail: string;
};

const MINUTE = 60_000;

/** Fills the database of a service in which much goes well and a little does not, as seen at `now`. */
export async function livelyOperations(database: Database, now: Date): Promise<Lively> {
  const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const at = (milliseconds: number) => ago(milliseconds).toISOString();
  return database.withConnection('*', async ({ query }) => {
    const organizations = ['山田商事株式会社', 'さくら会計事務所', 'Northwind KK'];
    const ids = organizations.map((_, index) => newId('org', ago((90 - index) * 1440 * MINUTE)));
    for (const [index, name] of organizations.entries()) {
      await query(
        `INSERT INTO organizations (id, name, slug, api_version, created_at, updated_at) VALUES ($1, $2, $3, '2026-01-01', $4, $4)`,
        [ids[index], name, `office-${index}-${ids[index]!.slice(-6)}`, at(90 * 1440 * MINUTE)],
      );
    }
    const [first = '', second = '', third = ''] = ids;

    type Row = [
      organization: string,
      queue: string,
      name: string,
      asked: number,
      more: Record<string, unknown>,
    ];
    const deliver = async ([organization, queue, name, asked, more]: Row): Promise<string> => {
      const id = newId('dlv', ago(asked));
      const row = {
        organization_id: organization,
        id,
        queue,
        name,
        payload: {},
        created_at: at(asked),
        ...more,
      };
      await query(
        `INSERT INTO outbox SELECT * FROM jsonb_populate_record(null::outbox, $1::jsonb || $2::jsonb)`,
        [JSON.stringify({ attempts: 0, starts: 0, priority: 2, hand_overs: 0 }), JSON.stringify(row)],
      );
      return id;
    };
    const mail = { mail_id: newId('mail', ago(9 * MINUTE)) };
    const reset = 'The mail server does not answer: connect ECONNREFUSED 192.0.2.25:587';
    const failed = [
      await deliver([
        first,
        'email',
        'mailer.send',
        52 * MINUTE,
        { payload: mail, attempts: 12, starts: 12, failed_at: at(9 * MINUTE), error: reset },
      ]),
      await deliver([
        second,
        'email',
        'mailer.send',
        47 * MINUTE,
        { payload: mail, attempts: 12, starts: 12, failed_at: at(7 * MINUTE), error: reset },
      ]),
      await deliver([
        third,
        'report-export',
        'crm.contacts.export',
        33 * MINUTE,
        {
          payload: { job_id: newId('job', ago(33 * MINUTE)) },
          attempts: 5,
          starts: 31,
          failed_at: at(21 * MINUTE),
          error: 'The process ended 25 times while it ran this job',
        },
      ]),
    ];
    const import_id = newId('imp', ago(4 * MINUTE));
    const import_job = newId('job', ago(4 * MINUTE));
    const running = await deliver([
      first,
      'csv-import',
      'imports.run',
      4 * MINUTE,
      { payload: { import_id }, job_id: import_job, starts: 1, handed_over_at: at(4 * MINUTE - 900) },
    ]);
    for (let index = 0; index < 6; index++)
      await deliver([
        ids[index % 3]!,
        'email',
        'mailer.send',
        400 + index * 300,
        { payload: mail, starts: 1, handed_over_at: at(200) },
      ]);
    for (let index = 0; index < 14; index++)
      await deliver([second, 'email', 'mailer.send', 900 + index * 120, { payload: mail }]);
    await deliver([
      third,
      'email',
      'mailer.send',
      11 * MINUTE,
      {
        payload: mail,
        attempts: 3,
        starts: 3,
        due_at: at(-3 * MINUTE),
        error: '451 4.7.1 Greylisted, try again later',
      },
    ]);
    await deliver([
      second,
      'report-export',
      'mail.contacts.export',
      2 * MINUTE,
      { payload: { job_id: newId('job', ago(2 * MINUTE)) }, starts: 1, handed_over_at: at(2 * MINUTE) },
    ]);

    const minute = Math.floor(now.getTime() / MINUTE) * MINUTE;
    for (let back = 0; back < 60; back++) {
      const wave = 1 + Math.sin(back / 6) ** 2;
      const rows: [string, number, number, number][] = [
        ['email', Math.round(34 * wave + (back % 7) * 3), back % 9 === 0 ? 2 : 0, back === 9 ? 2 : 0],
        ['csv-import', back % 11 === 0 ? 1 : 0, 0, 0],
        [
          'report-export',
          back % 4 === 0 ? 2 : back % 7 === 0 ? 1 : 0,
          back === 25 ? 1 : 0,
          back === 21 ? 1 : 0,
        ],
      ];
      for (const [queue, done, again, given_up] of rows)
        await query(
          'INSERT INTO queue_minutes (queue, minute, done, again, given_up) VALUES ($1, $2, $3, $4, $5)',
          [queue, new Date(minute - back * MINUTE).toISOString(), done, again, given_up],
        );
    }

    const process = (id: string, pid: number, queues: string[], running: unknown[], memory: number) =>
      query(
        `INSERT INTO worker_processes (id, host, pid, engine, queues, running, memory_bytes, started_at, beat_at)
         VALUES ($1, 'office-1', $2, 'postgres', $3, $4, $5, $6, $7)`,
        [id, pid, queues, JSON.stringify(running), memory, at(31 * 60 * MINUTE), at(1_800)],
      );
    await process(
      'one',
      4211,
      ['email'],
      [{ job: 'mailer.send', delivery_id: failed[0], organization_id: first, since: at(300) }],
      121_634_816,
    );
    await process(
      'two',
      4212,
      ['csv-import', 'report-export'],
      [{ job: 'imports.run', delivery_id: running, organization_id: first, since: at(4 * MINUTE - 900) }],
      196_083_712,
    );

    const sweep = (
      name: string,
      every: number,
      started: number,
      took: number,
      done: number,
      more: Record<string, unknown> = {},
    ) =>
      query('INSERT INTO sweeps SELECT * FROM jsonb_populate_record(null::sweeps, $1::jsonb)', [
        JSON.stringify({
          name,
          every_milliseconds: every,
          started_at: at(started),
          finished_at: at(started - took),
          succeeded_at: at(started - took),
          last_count: done,
          ...more,
        }),
      ]);
    await sweep('event_positions', 1_000, 700, 4, 0);
    await sweep('expired_idempotency_keys', 10 * MINUTE, 6 * MINUTE, 38, 412);
    await sweep('expired_job_files', 60 * MINUTE, 22 * MINUTE, 1_240, 17);
    await sweep('expired_sessions', 60 * MINUTE, 41 * MINUTE, 9, 3);
    await sweep('mail_contacts_search', 5_000, 3_100, 640, 20_000);
    await sweep('stored_files', 60 * MINUTE, 18 * MINUTE, 30_020, 0, {
      succeeded_at: at(78 * MINUTE),
      failed_at: at(17 * MINUTE),
      last_error: 'The store does not answer: getaddrinfo ENOTFOUND files.office.example',
    });

    const letter = (
      organization: string,
      purpose: string,
      status: string,
      attempts: number,
      minutes: number,
      error: string | null,
    ) => {
      const id = newId('mail', ago(minutes * MINUTE));
      return query(
        `INSERT INTO mails (organization_id, id, purpose, about, locale, status, attempts, error, created_at, updated_at)
         VALUES ($1, $2, $3, '{}', 'ja', $4, $5, $6, $7, $7)`,
        [organization, id, purpose, status, attempts, error, at(minutes * MINUTE)],
      ).then(() => id);
    };
    await letter(
      first,
      'invitation',
      'failed',
      1,
      64,
      '550 5.1.1 The account that you tried to reach does not exist',
    );
    const unknown_mail = await letter(
      second,
      'password_reset',
      'unknown',
      1,
      38,
      'Nothing was heard after the text was handed over: timeout',
    );
    await letter(third, 'email_verification', 'queued', 3, 11, '451 4.7.1 Greylisted, try again later');
    await letter(third, 'email_verification', 'sent', 1, 12, null);

    const bring = (row: Record<string, unknown>) =>
      query(
        `INSERT INTO imports SELECT * FROM jsonb_populate_record(null::imports, $1::jsonb || $2::jsonb)`,
        [
          JSON.stringify({
            file_name: 'list.csv',
            options: {},
            on_conflict: 'update',
            dry_run: false,
            processed_rows: 0,
            created_count: 0,
            updated_count: 0,
            unchanged_count: 0,
            skipped_count: 0,
            duplicate_count: 0,
            suppressed_count: 0,
            error_count: 0,
            running_milliseconds: 0,
            actor_type: 'user',
            actor_id: 'usr_x',
            updated_at: at(1_000),
          }),
          JSON.stringify(row),
        ],
      );
    await bring({
      organization_id: first,
      id: import_id,
      kind: 'mail.contacts',
      job_id: import_job,
      status: 'running',
      file_bytes: 61_204_118,
      encoding: 'shift_jis',
      delimiter: ',',
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
      created_at: at(4 * MINUTE),
      started_at: at(4 * MINUTE - 900),
    });
    await bring({
      organization_id: second,
      id: newId('imp', ago(52 * MINUTE)),
      kind: 'crm.companies',
      status: 'completed',
      file_bytes: 1_204_118,
      encoding: 'utf-8',
      delimiter: ',',
      total_rows: 8_214,
      processed_rows: 8_214,
      created_count: 8_020,
      updated_count: 190,
      error_count: 4,
      running_milliseconds: 6_400,
      created_at: at(52 * MINUTE),
      started_at: at(52 * MINUTE),
      finished_at: at(51 * MINUTE),
    });
    await bring({
      organization_id: third,
      id: newId('imp', ago(180 * MINUTE)),
      kind: 'mail.contacts',
      status: 'paused',
      file_bytes: 4_004_118,
      encoding: 'utf-16le',
      delimiter: '\t',
      checkpoint_byte: 1_201_004,
      checkpoint_row: 20_001,
      processed_rows: 20_000,
      created_count: 20_000,
      running_milliseconds: 900,
      created_at: at(180 * MINUTE),
      started_at: at(180 * MINUTE),
    });
    for (let index = 0; index < 184; index++)
      await query(
        `INSERT INTO import_errors (organization_id, import_id, id, row, code, "column", message, cells)
         VALUES ($1, $2, $3, $4, $5, $6, 'is not an address', '["花子の住所"]')`,
        [
          first,
          import_id,
          newId('ierr', ago(3 * MINUTE)),
          120 + index * 3_677,
          index % 5 === 0 ? 'column_count' : 'invalid_email',
          index % 5 === 0 ? null : 'メールアドレス',
        ],
      );
    return { organization_id: first, failed, running, import_id, unknown_mail };
  });
}
