import { notIssued } from '../../invoicing/booked.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { calendarOf } from '../journals/calendar.ts';
import { contextOf } from '../journals/context.ts';
import { posted } from '../journals/post.ts';
import { lockEntriesOf } from '../journals/queries.ts';
import type { Journal } from '../journals/record.ts';
import { type Entry, journalOf, standingOf } from '../journals/rows.ts';
import { requireAction } from '../journals/transitions.ts';
import { insertEntries } from '../journals/write.ts';
import { type DocumentSource, entryOf, lockSources, unknownSource } from './entry.ts';
import { bookOffsetFrom, sourceOfOffset } from './offsets.ts';
import type { JournalOfRecord } from './record.ts';
import type { Source } from './source.ts';

export type FromDocument = {
  type: DocumentSource;
  id: string;
  post?: boolean | undefined;
  preview?: boolean | undefined;
};

/**
 * Makes the entry of an invoice, a payment or a credit note: a draft, posted where the body says so, or shown alone with
 * `preview`. Errors: `unknown_reference`, `invalid_transition` for an invoice that is not approved or is cancelled,
 * `has_journal`, `nothing_to_post`, `no_tax_category`, `account_map_incomplete`, `inactive_account`,
 * `approval_required`, those of its day.
 */
export async function journalFromDocument(
  work: Work,
  { type, id, ...asked }: FromDocument,
): Promise<JournalOfRecord> {
  const source = (await lockSources(work, [{ type, id }])).get(id);
  if (!source) throw unknownSource({ type, id });
  await requireIssued(work, source);
  return journalOfSource(work, source, asked);
}

/**
 * Makes the entry of a locked record: a draft, posted where the body says so, or shown alone with `preview`. Errors:
 * `has_journal`, also where all of a payment is in the entry of another one, `nothing_to_post`, `no_tax_category`,
 * `account_map_incomplete`, `inactive_account`, `approval_required`, those of its day.
 */
export async function journalOfSource(
  work: Work,
  source: Source,
  { post, preview }: Pick<FromDocument, 'post' | 'preview'>,
): Promise<JournalOfRecord> {
  const shared = await sharedEntry(work, source);
  const [context, calendar] = await Promise.all([contextOf(work), calendarOf(work, [source.date])]);
  const booked = shared ? { ...source, book: source.bookBeside! } : source;
  const entry = await entryOf(work, booked, calendar, context.settings.account_map);
  if (!entry && shared) throw hasJournal(shared);
  if (!entry) throw new Failure('nothing_to_post');
  if (preview) {
    work.nothingChanged();
    return previewOf(journalOf(entry, context));
  }
  if (!shared) bookOffsetFrom(work, source);
  if (post) requireAction(standingOf(entry.row), 'post', context.asking);
  const [journal] = insertEntries(work, post ? await posted(work, [entry], context) : [entry], context);
  return journal!;
}

/**
 * The entry that has what a payment sets off, where the payment on the other side has made it: only what is beside it is left
 * to be booked. A record has one posted entry. Errors: `has_journal`.
 */
async function sharedEntry(work: Work, { type, id }: Source): Promise<Entry | undefined> {
  const booked_from = (await sourceOfOffset(work, { type, id })) ?? id;
  const { posted, unposted } = await lockEntriesOf(
    work,
    [...new Set([id, booked_from])].map((one) => ({ type, id: one })),
  );
  const own = posted.find(({ row }) => row.source_id === id);
  if (own) throw hasJournal(own);
  if (booked_from === id) return undefined;
  return [...posted, ...unposted].find(({ row }) => row.source_id === booked_from);
}

function hasJournal({ row }: Entry): Failure {
  return new Failure('has_journal', { members: { journal_id: row.id } });
}

/** An entry that is not kept: nothing finds it, and nothing can be done to it. */
function previewOf(journal: Journal): JournalOfRecord {
  const lines = journal.lines.map((line) => ({ ...line, id: null }));
  return { ...journal, id: null, lines, available_actions: [] };
}

/** Errors: `invalid_transition`. */
async function requireIssued(work: Work, { type, id, status }: Source): Promise<void> {
  if (type !== 'invoice' || (status !== 'draft' && status !== 'cancelled')) return;
  throw await notIssued(work, id);
}
