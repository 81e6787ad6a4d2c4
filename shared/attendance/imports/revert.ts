import type { Work } from '../../kernel/work.ts';
import type { ImportRun, RevertBatch } from '../../platform/imports/domain.ts';
import { type KeptOutcome, outcomesAfter } from '../../platform/imports/outcomes.ts';
import { lockMembers } from '../members/queries.ts';
import type { SessionInput, SessionShown } from '../records/record.ts';
import { replaceDays } from '../records/replace-days.ts';

/** Days of one transaction. */
const BATCH = 500;

const LENGTH_OF_DATE = 10;

/** What an import knows a day by. */
export function keyOfDay(member_id: string, work_date: string): string {
  return `${member_id} ${work_date}`;
}

type Written = { key: string; member_id: string; work_date: string; before: SessionShown[]; version: number };

/**
 * Puts back the days that an import replaced, a batch at a time and each with a revision: those whose sessions are still the
 * import's. Others are left and counted, as are those that cannot be what they were any more. All days of a member are put
 * back together where a batch holds them.
 */
export async function revertDays(
  work: Work,
  { import_id }: Pick<ImportRun, 'import_id'>,
  after: string | null,
): Promise<RevertBatch> {
  const found = await outcomesAfter(work, import_id, after, BATCH);
  const next = found.length < BATCH ? null : lastWholeMember(found);
  const days = found.filter(({ key }) => next === null || key <= next).map(writtenDay);
  const ids = [...new Set(days.map(({ member_id }) => member_id))];
  await lockMembers(work, ids);
  const versions = await versionsOf(work, days);
  const untouched = days.filter(({ key, version }) => versions.get(key) === version);
  const asked = [...Map.groupBy(untouched, ({ member_id }) => member_id)].map(([member_id, own]) => ({
    member_id,
    days: own.map(({ work_date, before }) => ({ work_date, sent: before as SessionInput[] })),
  }));
  const replaced = await replaceDays(work, asked, { source: 'revert', reason: null });
  const put_back = untouched.filter(({ member_id, work_date }) => {
    return 'outcome' in replaced.get(member_id)!.get(work_date)!;
  });
  const deleted = put_back.filter(({ before }) => before.length === 0);
  const counts = {
    deleted_count: deleted.length,
    restored_count: put_back.length - deleted.length,
    removed_membership_count: 0,
    left_count: days.length - put_back.length,
  };
  return { next, counts };
}

/** The last day of the last member that a full batch surely holds all days of; of one member alone the last day. */
function lastWholeMember(found: readonly KeptOutcome[]): string {
  const last = found.at(-1)!.key;
  const whole = found.findLast(({ key }) => memberOf(key) !== memberOf(last));
  return (whole ?? found.at(-1)!).key;
}

function memberOf(key: string): string {
  return key.slice(0, -1 - LENGTH_OF_DATE);
}

function writtenDay({ key, before }: KeptOutcome): Written {
  const { sessions, version } = before!;
  return {
    key,
    member_id: memberOf(key),
    work_date: key.slice(-LENGTH_OF_DATE),
    before: sessions![0] as SessionShown[],
    version: version![1] as number,
  };
}

/** The versions of days by what an import knows them by. */
async function versionsOf(
  { connection, organization_id }: Work,
  days: readonly Written[],
): Promise<Map<string, number>> {
  const rows = await connection.query<{ member_id: string; work_date: string; version: number }>(
    `SELECT record.member_id, record.work_date, record.version
       FROM unnest($2::text[], $3::date[]) AS asked (member_id, work_date)
       JOIN attendance_records AS record ON record.organization_id = $1
        AND record.member_id = asked.member_id AND record.work_date = asked.work_date`,
    [organization_id, days.map(({ member_id }) => member_id), days.map(({ work_date }) => work_date)],
  );
  return new Map(rows.map(({ member_id, work_date, version }) => [keyOfDay(member_id, work_date), version]));
}
