import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import type { Bookkeeping, BooksChange, RecordRef, TakenBack } from '../../platform/bookkeeping.ts';
import { mirrorOf } from '../journals/actions.ts';
import { type Calendar, calendarBetween, refusalOf } from '../journals/calendar.ts';
import { type Context, contextOf } from '../journals/context.ts';
import { posted } from '../journals/post.ts';
import { type EntriesOfSources, lockEntriesOf } from '../journals/queries.ts';
import { JournalModel, journalFacts } from '../journals/record.ts';
import { type Entry, type JournalRow, journalOf } from '../journals/rows.ts';
import { insertEntries, writeEntry } from '../journals/write.ts';
import { lockKeeps } from '../locks/queries.ts';
import { autoJournalOf } from '../settings/queries.ts';
import { beforeEntry, entryOf, lockSources } from './entry.ts';
import { lastOpenDay } from './mirror-day.ts';
import { notedOffsets, releasedOffsets } from './offsets.ts';
import { renewedSources } from './renewed.ts';
import type { LockSources, Source } from './source.ts';

/** The books of records that one domain locks: those of its operations. */
export function booksOf(lock: LockSources): Bookkeeping {
  return { keep: (work, change) => keep(work, change, lock) };
}

/**
 * Books what an operation made, as `auto_journal` says, and takes back what it undid: the posted entry of a record gets its
 * mirror, and entries of it that are not posted yet go. All in the transaction of the operation, under the locks of the books
 * in their order: offsets, entries, years, sums, counters.
 */
async function keep(work: Work, change: BooksChange, lock: LockSources): Promise<void> {
  // Most organizations keep no books here: an operation of theirs costs one row that is looked for.
  const isBooking = (change.booked?.length ?? 0) + (change.renewed?.length ?? 0) > 0;
  const auto_journal = isBooking ? await autoJournalOf(work) : 'off';
  const own = await notedOffsets(work, change.booked ?? []);
  const released = await releasedOffsets(work, change.taken_back ?? []);
  const renewed_records: readonly TakenBack[] = change.renewed ?? [];
  const taken_back = [...released.gone, ...released.reduced, ...released.beside, ...renewed_records];
  const standing = await lockEntriesOf(work, taken_back);
  const books = auto_journal === 'off' ? [] : own;
  const standing_ids = new Set([...standing.posted, ...standing.unposted].map(({ row }) => row.source_id));
  // Where nothing of it stands in the books, there is nothing whose money they would lose.
  const missing = renewed_records.filter(({ id }) => standing_ids.size > 0 && !standing_ids.has(id));
  if (books.length + missing.length + standing_ids.size === 0) return;
  const context = await contextOf(work);
  // What the operation wrote is read back as the books take it.
  await work.flush();
  const locked = await lock(work, books);
  const sources = books.flatMap(({ id, is_beside }): Source[] => {
    const source = locked.get(id);
    if (!source) return [];
    return [is_beside ? { ...source, book: source.bookBeside! } : source];
  });
  const renewed = await renewedSources(work, { ...released, whole: renewed_records }, lock);
  const replaced = standing.unposted.filter(({ row }) => renewed.has(row.source_id!));
  if (sources.length + missing.length + standing.posted.length + replaced.length === 0) {
    return removeUnposted(work, standing, context);
  }
  const days = [
    ...sources.map(({ date }) => date),
    ...[...standing.posted, ...replaced].flatMap(({ row }) => [row.date, context.today]),
    ...taken_back.flatMap(({ posting_date }) => posting_date ?? []),
    ...missing.flatMap(({ id }) => renewed.get(id)?.(null).date ?? []),
  ];
  const calendar = await calendarBetween(work, days);
  const drafts: Entry[] = [];
  const fresh: Entry[] = [];
  const make = async (source: Source, into: Entry[]) => {
    const entry = await entryOf(work, source, calendar, context.settings.account_map);
    if (entry) into.push(entry);
  };
  for (const source of sources) {
    await orRefused(change, source, () => make(source, auto_journal === 'post' ? fresh : drafts));
  }
  const mirrors: { original: Entry; mirror: Entry; reason: string }[] = [];
  for (const original of standing.posted) {
    const { row } = original;
    const taken = taken_back.find(({ id }) => id === row.source_id)!;
    await orRefused(change, taken, async () => {
      const date = dayOfMirror(work, row, taken, calendar, context);
      const mirror = await mirrorOf(work, original, date);
      const source = renewed.get(row.source_id!)?.({ ...row, date });
      if (source) await make(source, fresh);
      mirrors.push({ original, mirror, reason: taken.reason });
    });
  }
  // What the mirrors of this operation give back is there from their day on.
  const given_back = mirrors
    .map(({ mirror }) => mirror.row.date)
    .toSorted()
    .at(-1);
  for (const { id } of missing) {
    const source = renewed.get(id)?.(null);
    const isPosted = auto_journal === 'post' || (auto_journal === 'off' && given_back !== undefined);
    if (source) await make({ ...source, date: given_back ?? source.date }, isPosted ? fresh : drafts);
  }
  for (const { row } of replaced) {
    const isOpen = refusalOf(work, calendar, row) === null;
    const own = isOpen ? row.date : dayOfMirror(work, row, {}, calendar, context);
    const isGrown = renewed_records.some(({ id }) => id === row.source_id);
    const date = isGrown && given_back !== undefined && given_back > own ? given_back : own;
    await make(renewed.get(row.source_id!)!({ ...row, date }), drafts);
  }
  const entries = await posted(work, [...fresh, ...mirrors.map(({ mirror }) => mirror)], context);
  removeUnposted(work, standing, context);
  for (const { original, mirror, reason } of mirrors) {
    writeEntry(work, original, voidedBy(work, original, mirror, reason), context);
  }
  insertEntries(work, [...drafts, ...entries], context);
}

/** Books a record, or tells those who want to hear of it that it is refused. */
async function orRefused(
  { refused }: BooksChange,
  { type, id }: RecordRef,
  book: () => Promise<void>,
): Promise<void> {
  try {
    await book();
  } catch (error) {
    if (!refused || !(error instanceof Failure)) throw error;
    refused({ type, id }, error);
  }
}

function removeUnposted(work: Work, { unposted }: EntriesOfSources, context: Context): void {
  for (const entry of unposted) {
    work.remove(JournalModel, entry.row.id);
    work.record(journalFacts.deleted, { before: journalOf(entry, context), after: null });
  }
}

function voidedBy(work: Work, { row, lines }: Entry, mirror: Entry, void_reason: string): Entry {
  const voided: JournalRow = {
    ...row,
    status: 'voided',
    reversed_by: mirror.row.id,
    void_reason,
    voided_by: work.actor.user_id,
    voided_at: work.now.toISOString(),
  };
  return { row: voided, lines };
}

/**
 * The day of a mirror: the one asked for, else the later of today and the entry's own; where it is not open to the caller
 * the last open one before it, not before the entry's. Errors: `no_open_day`, `validation_failed` for a day before the entry.
 */
function dayOfMirror(
  { actor }: Work,
  { id, date, source_type }: JournalRow,
  { posting_date }: Pick<TakenBack, 'posting_date'>,
  { years, locks }: Calendar,
  { today }: Context,
): string {
  if (posting_date !== undefined && posting_date < date) throw beforeEntry(date);
  const latest = posting_date ?? (today > date ? today : date);
  // A lock is looked at on a day of its own: it keeps the caller out on all of its days, or on none.
  const keeps = locks.filter((lock) => lockKeeps(lock, { date: lock.to, source_type }, actor.grants));
  const day = lastOpenDay({ years, locks: keeps }, date, latest);
  if (day === null) throw new Failure('no_open_day', { members: { journal_id: id } });
  return day;
}

/** The books of invoices, credit notes and payments. */
export const bookkeeping = booksOf(lockSources);
