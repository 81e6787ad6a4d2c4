import { Failure } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import { metadataAfter } from '../../kernel/own-keys.ts';
import { sentOrKept } from '../../kernel/record-fields.ts';
import type { Work } from '../../kernel/work.ts';
import type { JobResource } from '../../platform/jobs/record.ts';
import { recalculate } from '../recalculation/operations.ts';
import { nationalById } from './national.ts';
import { companyHolidayOf, type HolidayRow, lockHoliday } from './queries.ts';
import { type Holiday, type HolidayInput, HolidayModel, type HolidayPatch, holidayFacts } from './record.ts';

type Changed = { holiday: Holiday; job: JobResource | null };

/** Adds a holiday of the company. Errors: `already_exists` for a date that has one. */
export async function createHoliday(work: Work, input: HolidayInput): Promise<Changed> {
  const at = work.now.toISOString();
  const row: HolidayRow = {
    id: newId('hol', work.now),
    date: input.date,
    name: input.name,
    name_en: input.name_en,
    counts_as: input.counts_as,
    external_id: input.external_id ?? null,
    metadata: metadataAfter({}, input.metadata),
    created_at: at,
    updated_at: at,
  };
  const holiday = companyHolidayOf(row);
  work.insert(HolidayModel, row);
  work.record(holidayFacts.created, { before: null, after: holiday });
  return { holiday, job: await recalculateFrom(work, holiday.date) };
}

/** Changes the fields sent. Errors: `not_found`, `national_holiday`, `precondition_failed`, `already_exists`. */
export async function updateHoliday(work: Work, id: string, patch: HolidayPatch): Promise<Changed> {
  const before = await lockOwn(work, id);
  work.precondition(before);
  const changed: Holiday = {
    ...before,
    ...sentOrKept(patch, before, ['date', 'name', 'name_en', 'counts_as', 'external_id']),
    metadata: metadataAfter(before.metadata, patch.metadata),
  };
  if (work.isSame(holidayFacts.updated, before, changed)) return { holiday: before, job: null };
  const holiday = { ...changed, updated_at: work.touch(before) };
  const { date, name, name_en, counts_as, external_id, metadata, updated_at } = holiday;
  work.update(HolidayModel, id, { date, name, name_en, counts_as, external_id, metadata, updated_at });
  work.record(holidayFacts.updated, { before, after: holiday });
  const isOther = date !== before.date || counts_as !== before.counts_as;
  const first = date < before.date ? date : before.date;
  return { holiday, job: isOther ? await recalculateFrom(work, first) : null };
}

/** Removes a holiday of the company. Errors: `not_found`, `national_holiday`, `precondition_failed`. */
export async function deleteHoliday(work: Work, id: string): Promise<{ job: JobResource | null }> {
  const before = await lockOwn(work, id);
  work.precondition(before);
  work.remove(HolidayModel, id);
  work.record(holidayFacts.deleted, { before, after: null });
  return { job: await recalculateFrom(work, before.date) };
}

async function lockOwn(work: Work, id: string): Promise<Holiday> {
  if (nationalById.has(id)) throw new Failure('national_holiday');
  return lockHoliday(work, id);
}

function recalculateFrom(work: Work, from: string): Promise<JobResource | null> {
  return recalculate(work, { member_ids: null, from });
}
