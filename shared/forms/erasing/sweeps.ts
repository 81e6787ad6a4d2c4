import { type Database, EVERY_ORGANIZATION } from '../../db/database.ts';
import { inWork } from '../../db/in-work.ts';
import { DAY } from '../../kernel/days.ts';
import { systemActor } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { eachDue } from '../../platform/sweeps/each-due.ts';
import { expiry, HOUR } from '../../platform/sweeps/expiry.ts';
import type { Sweep } from '../../platform/sweeps/sweep.ts';
import { endPartials } from '../partials/end.ts';
import { removeResponses } from '../responses/remove.ts';

/** Forms, or partials, that one look finds. */
const LOOK = 200;

/** Responses that one transaction removes. */
const TOGETHER = 100;

/** Rows that one statement changes: many would hold locks for long. */
const ROWS = 1_000;

const UNCLAIMED_FOR = DAY;
const ADDRESSES_FOR = 30 * DAY;
const ERASURES_FOR = 30 * DAY;

/** What time asks of forms. Each is safe to run twice: what is gone is found no more. */
export const formSweeps: readonly Sweep[] = [
  {
    name: 'forms_retention',
    description: {
      en: 'Removes responses so many days after they were submitted as their form says',
      ja: 'フォームで決めた日数が過ぎた回答を削除します',
    },
    every: HOUR,
    run: removeOldResponses,
  },
  {
    name: 'forms_unclaimed_files',
    description: {
      en: 'Removes files that were uploaded to a form and never submitted, after a day',
      ja: '送信されなかったフォームのファイルを、1日後に削除します',
    },
    every: HOUR,
    run: (database, now, signal) =>
      eachRows(database, signal, RELEASE, [before(now, UNCLAIMED_FOR), now.toISOString()]),
  },
  {
    name: 'forms_ended_partials',
    description: {
      en: 'Removes what was saved to go on later, when its time is over',
      ja: '期限の過ぎた途中保存の回答を削除します',
    },
    every: HOUR,
    run: removeEndedPartials,
  },
  {
    name: 'forms_address_hashes',
    description: {
      en: 'Forgets the hashes of the addresses that responses, files and partials came from, after 30 days',
      ja: '回答の送信元アドレスのハッシュを、30日後に削除します',
    },
    every: HOUR,
    run: async (database, now, signal) => {
      const values = [before(now, ADDRESSES_FOR)];
      let forgotten = await eachRows(database, signal, FORGET('forms_responses', 'submitted_at'), values);
      for (const table of ['forms_files', 'forms_partials'] as const)
        forgotten += await eachRows(database, signal, FORGET(table, 'created_at'), values);
      return forgotten;
    },
  },
  expiry({
    table: 'forms_erasures',
    column: 'created_at',
    age: ERASURES_FOR,
    every: HOUR,
    description: {
      en: 'Forgets whom erasures that were given up had been asked for, after 30 days',
      ja: '中止した消去の対象を、30日後に削除します',
    },
  }),
];

function before(now: Date, age: number): string {
  return new Date(now.getTime() - age).toISOString();
}

type Keeping = { organization_id: string; form_id: string; retention_days: number };

/** Answers of how many forms something was removed. */
function removeOldResponses(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  const look = (after: Keeping | undefined) => formsThatForget(database, after);
  return eachDue(
    { look, size: LOOK, signal, fault: 'forms could not remove their old responses' },
    async ({ organization_id, form_id, retention_days }) => {
      let removed = 0;
      for (let count = TOGETHER; count === TOGETHER && !signal.aborted; ) {
        count = await inOrganization(database, { organization_id, now }, (work) =>
          removeNext(work, form_id, before(now, retention_days * DAY)),
        );
        removed += count;
      }
      return removed > 0;
    },
  );
}

function formsThatForget(database: Database, after: Keeping | undefined): Promise<Keeping[]> {
  return database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<Keeping>(
      `SELECT organization_id, form_id, retention_days FROM forms_settings
        WHERE retention_days IS NOT NULL AND (organization_id, form_id) > ($1, $2)
        ORDER BY organization_id, form_id LIMIT ${LOOK}`,
      [after?.organization_id ?? '', after?.form_id ?? ''],
    ),
  );
}

/** The oldest of the responses that count and of the spam, each by the index of the form's responses. */
async function removeNext(work: Work, form_id: string, until: string): Promise<number> {
  const old = await work.connection.query<{ id: string }>(
    `SELECT old.id FROM unnest(ARRAY[false, true]) AS kind (is_spam), LATERAL (
       SELECT id FROM forms_responses
        WHERE organization_id = $1 AND form_id = $2 AND forms_responses.is_spam = kind.is_spam AND submitted_at <= $3
        ORDER BY submitted_at, id LIMIT ${TOGETHER}) AS old
      LIMIT ${TOGETHER}`,
    [work.organization_id, form_id, until],
  );
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  await removeResponses(work, ids);
  return ids.length;
}

type Ended = { organization_id: string; id: string; expires_at: string };

/** `expires_at` as text, to the microsecond. */
function removeEndedPartials(database: Database, now: Date, signal: AbortSignal): Promise<number> {
  const look = (after: Ended | undefined) =>
    database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query<Ended>(
        `SELECT organization_id, id, expires_at::text AS expires_at FROM forms_partials
          WHERE expires_at <= $1 AND (expires_at, id) > ($2::timestamptz, $3)
          ORDER BY forms_partials.expires_at, id LIMIT ${LOOK}`,
        [now.toISOString(), after?.expires_at ?? '-infinity', after?.id ?? ''],
      ),
    );
  return eachDue(
    { look, size: LOOK, signal, fault: 'saved partials could not be removed' },
    ({ organization_id, id }) =>
      inOrganization(database, { organization_id, now }, async (work) => (await endPartials(work, [id])) > 0),
  );
}

function inOrganization<T>(
  database: Database,
  { organization_id, now }: { organization_id: string; now: Date },
  run: (work: Work) => Promise<T>,
): Promise<T> {
  return database.withConnection(organization_id, (connection) =>
    inWork(
      { connection, organization_id, actor: systemActor, now, request_id: null, ip_address: null },
      run,
      { may_change_nothing: true },
    ),
  );
}

/** A file that a submission takes just now is left to it. */
const RELEASE = `
  WITH gone AS (
    DELETE FROM forms_files WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM forms_files WHERE response_id IS NULL AND partial_id IS NULL AND created_at < $1
       LIMIT ${ROWS} FOR UPDATE SKIP LOCKED))
    RETURNING organization_id, storage_key
  )
  INSERT INTO loose_files (organization_id, storage_key, due_at, created_at)
  SELECT organization_id, storage_key, $2::timestamptz, $2::timestamptz FROM gone RETURNING 1`;

const FORGET = (table: 'forms_responses' | 'forms_files' | 'forms_partials', at: string) => `
  UPDATE ${table} SET address_hash = NULL WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM ${table} WHERE address_hash > '' AND ${at} < $1 LIMIT ${ROWS} FOR UPDATE SKIP LOCKED))
  RETURNING 1`;

async function eachRows(
  database: Database,
  signal: AbortSignal,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  let total = 0;
  for (let count = ROWS; count === ROWS && !signal.aborted; total += count) {
    const changed = await database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
      query(text, [...values]),
    );
    count = changed.length;
  }
  return total;
}
