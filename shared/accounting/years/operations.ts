import { Failure, invalid } from '../../kernel/failure.ts';
import { newId } from '../../kernel/id.ts';
import type { Work } from '../../kernel/work.ts';
import { dayAfter, dayBefore, lastDayOfMonths } from './days.ts';
import { allYears, lockBooks, yearById } from './queries.ts';
import {
  type FiscalYear,
  type FiscalYearInput,
  FiscalYearModel,
  type FiscalYearPatch,
  fiscalYearFacts,
} from './record.ts';

/** Months that a year may have: 会社計算規則 art. 59(2), for a year whose end is changed. */
const MOST_MONTHS = 18;

/**
 * Makes a fiscal year. Errors: `validation_failed`, `not_contiguous`, `opening_exists` for one before the opening balances.
 */
export async function createFiscalYear(work: Work, input: FiscalYearInput): Promise<FiscalYear> {
  await lockCalendar(work);
  const years = await allYears(work);
  const at = work.now.toISOString();
  const year: FiscalYear = {
    id: newId('fy', work.now),
    object: 'accounting.fiscal_year',
    name: input.name ?? `FY${input.start_date.slice(0, 4)}`,
    start_date: input.start_date,
    end_date: input.end_date,
    tax_books: input.tax_books ?? 'exclusive',
    tax_rounding: input.tax_rounding ?? 'floor',
    status: 'open',
    closing_journal_id: null,
    closed_at: null,
    closed_by: null,
    created_at: at,
    updated_at: at,
  };
  requireLength(year);
  requireContiguous(year, years);
  const first = years[0];
  if (first && year.start_date < first.start_date) {
    // An opening entry that is being written ends first, or sees this year.
    await lockBooks(work, [first]);
    await refuseBeforeOpening(work);
  }
  addYear(work, year);
  return year;
}

/** Keeps a new year, and says so. */
export function addYear(work: Work, year: FiscalYear): void {
  const { object, ...row } = year;
  work.insert(FiscalYearModel, row);
  work.record(fiscalYearFacts.created, { before: null, after: year });
}

/**
 * Changes the fields sent. Errors: `not_found`, `precondition_failed`, `validation_failed`, `not_contiguous`, `in_use` for
 * all but the name once entries are in the year.
 */
export async function updateFiscalYear(work: Work, id: string, patch: FiscalYearPatch): Promise<FiscalYear> {
  await lockCalendar(work);
  const before = await yearById(work, id);
  work.precondition(before);
  const changed: FiscalYear = { ...before, ...patch };
  const { name, ...fixed } = patch;
  if (Object.entries(fixed).some(([field, value]) => before[field as keyof FiscalYear] !== value)) {
    await lockBooks(work, [before]);
    await refuseInUse(work, before);
    requireLength(changed);
    const years = await allYears(work);
    requireContiguous(
      changed,
      years.filter((year) => year.id !== id),
    );
  }
  if (work.isSame(fiscalYearFacts.updated, before, changed)) return before;
  return writeYear(work, before, changed);
}

/** Keeps what a change made of a year of the locked calendar, and says so. */
export function writeYear(work: Work, before: FiscalYear, changed: FiscalYear): FiscalYear {
  const after = { ...changed, updated_at: work.touch(before) };
  const { id, object, created_at, ...columns } = after;
  work.update(FiscalYearModel, id, columns);
  work.record(fiscalYearFacts.updated, { before, after });
  return after;
}

/**
 * One change of an organization's years at a time, so that no two leave a gap or overlap. A year's row is not locked before
 * it is written: who posts has its books, which a change may wait for, and takes the counter in its row last.
 */
export async function lockCalendar(work: Work): Promise<void> {
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `accounting_fiscal_years ${work.organization_id}`,
  ]);
}

function requireLength({ start_date, end_date }: FiscalYear): void {
  if (end_date <= start_date) {
    throw invalid('/end_date', 'too_small', {
      en: 'end_date must be after start_date',
      ja: 'end_date は start_date より後の日付で指定してください',
    });
  }
  const latest = lastDayOfMonths(start_date, MOST_MONTHS);
  if (end_date > latest) {
    throw invalid('/end_date', 'too_large', {
      en: `end_date must be ${latest} or before: a year has at most ${MOST_MONTHS} months`,
      ja: `end_date は${latest}以前で指定してください。事業年度は${MOST_MONTHS}か月以内です`,
    });
  }
}

/** Errors: `not_contiguous` for a year that neither follows the others nor comes right before them. */
function requireContiguous({ start_date, end_date }: FiscalYear, others: readonly FiscalYear[]): void {
  const overlapped = others.find((year) => year.start_date <= end_date && start_date <= year.end_date);
  if (overlapped) throw overlaps(overlapped);
  if (others.length === 0) return;
  const before = others.filter((year) => year.start_date < start_date).at(-1);
  const after = others.find((year) => year.start_date >= start_date);
  const isRight =
    (!before || dayAfter(before.end_date) === start_date) &&
    (!after || dayAfter(end_date) === after.start_date);
  if (isRight) return;
  const [wrong, expected] =
    before && dayAfter(before.end_date) !== start_date
      ? ['start_date', dayAfter(before.end_date)]
      : ['end_date', dayBefore(after!.start_date)];
  const message = {
    en: `${wrong} must be ${expected}, so that the years follow each other`,
    ja: `年度が連続するように、${wrong} は ${expected} にしてください`,
  };
  throw new Failure('not_contiguous', {
    detail: message,
    errors: [{ in: 'body', path: `/${wrong}`, code: 'not_contiguous', message }],
  });
}

/** Days of the year are those of another one already: 422 that names it. */
function overlaps({ id, name, start_date, end_date }: FiscalYear): Failure {
  const message = {
    en: `${name} is from ${start_date} to ${end_date} already; change it, or remove it while no entry is in it`,
    ja: `${start_date}から${end_date}までは ${name} として登録済みです。仕訳がなければ変更または削除できます`,
  };
  return new Failure('not_contiguous', {
    detail: message,
    errors: [{ in: 'body', path: '/start_date', code: 'not_contiguous', message }],
    members: { fiscal_year_id: id },
  });
}

/**
 * Removes an open year without entries, the first or the last one. Errors: `not_found`, `precondition_failed`,
 * `invalid_transition` for a closed one, `in_use`.
 */
export async function deleteFiscalYear(work: Work, id: string): Promise<void> {
  await lockCalendar(work);
  const before = await yearById(work, id);
  work.precondition(before);
  if (before.status === 'closed') {
    throw new Failure('invalid_transition', {
      detail: { en: `${before.name} is closed`, ja: `${before.name} は締め切られています` },
      members: { current_status: before.status },
    });
  }
  await lockBooks(work, [before]);
  await refuseInUse(work, before);
  const years = await allYears(work);
  if (id !== years[0]!.id && id !== years.at(-1)!.id) {
    throw new Failure('in_use', {
      detail: {
        en: 'Years lie before and after it, which must follow each other',
        ja: '前後に会計年度があるため削除できません。会計年度は連続している必要があります',
      },
    });
  }
  work.remove(FiscalYearModel, id);
  work.record(fiscalYearFacts.deleted, { before, after: null });
}

async function refuseBeforeOpening(work: Work): Promise<void> {
  const [opening] = await work.connection.query<{ id: string }>(
    `SELECT id FROM accounting_journals
      WHERE organization_id = $1 AND kind = 'opening' AND status <> 'voided' AND reverses IS NULL LIMIT 1`,
    [work.organization_id],
  );
  if (!opening) return;
  const detail = {
    en: `The opening entry ${opening.id} stands on the first day of the books`,
    ja: `開始残高の仕訳 ${opening.id} が帳簿の初日にあります`,
  };
  throw new Failure('opening_exists', { detail, members: { journal_id: opening.id } });
}

async function refuseInUse(work: Work, { id }: FiscalYear): Promise<void> {
  const found = await work.connection.query(
    'SELECT FROM accounting_journals WHERE organization_id = $1 AND fiscal_year_id = $2 LIMIT 1',
    [work.organization_id, id],
  );
  if (found.length === 0) return;
  const detail = {
    en: 'Entries are in the year, so it stays, and only its name changes',
    ja: 'この年度には仕訳があるため、変更できるのはnameだけで、削除もできません',
  };
  throw new Failure('in_use', { detail });
}
