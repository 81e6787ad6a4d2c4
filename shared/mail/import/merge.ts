import type { Bulk } from '../../db/bulk.ts';
import { fullName } from '../../full-name.ts';
import {
  type ImportRow,
  type ImportRun,
  type ImportSession,
  type Merged,
  noCounts,
} from '../../imports/domain.ts';
import { type KeptOutcome, keepOutcomes, outcomesOf, overwritten } from '../../imports/outcomes.ts';
import { ImportRefused } from '../../imports/refused.ts';
import type { Work } from '../../kernel/work.ts';
import { leaveUnindexed } from '../contacts/search-index.ts';
import { mailSearchText } from '../contacts/search-text.ts';
import { changeCounts, lockMailLists } from '../lists/counters.ts';
import { differences, type Incoming, merged, type Person, type Rules } from './decide.ts';
import type { MailImportOptions } from './options.ts';
import { COPY, type Prepared, prepare, STAGING, type Staged } from './staging.ts';
import { CHANGE, INSERT, JOIN_KNOWN, JOIN_NEW, MET, REPEATED, SETTINGS, SUPPRESSED } from './statements.ts';

/** Rows of a chunk: what the process holds of them at a time, and what one transaction writes. */
const CHUNK_ROWS = 10_000;
/** From here on the planner is told of new rows at once, instead of when the server comes to it. */
const MANY = 10_000;

/** A contact that a row met, with what the import did to it before. */
type Known = Person & {
  id: string;
  email_key: string;
  email: string;
  status: string;
  updated_at: string;
  is_own: boolean;
  is_member: boolean;
  has_left: boolean;
  outcome: KeptOutcome['outcome'] | null;
  before: KeptOutcome['before'];
  changed_at: string | null;
};

/** What a chunk writes besides new contacts. */
type Written = {
  kept: KeptOutcome[];
  changed: (Person & { id: string; full_name: string | null; search_text: string; updated_at: string })[];
  joined: string[];
  unindexed: string[];
};

/** Merges the rows of an import of mail contacts. */
export function mailSession(run: ImportRun<MailImportOptions>): ImportSession {
  const { import_id, dry_run, on_conflict, options } = run;
  const rules: Rules = { on_conflict, consent: options.consent ?? null };
  const list_id = options.list_id ?? null;
  let created = 0;

  return {
    chunk_rows: CHUNK_ROWS,
    prepare: (rows: readonly ImportRow[], now: Date) => prepare(rows, rules, now),
    async begin({ connection }: Bulk) {
      for (const setting of SETTINGS.split(';')) await connection.query(setting, [], { prepared: false });
      await connection.query(STAGING, [], { prepared: false });
    },
    async merge(work, bulk, _rows, prepared): Promise<Merged> {
      const chunk = prepared as Prepared;
      await refuseLostList(work, list_id);
      await bulk.copyIn(COPY, chunk.copy);
      return dry_run ? tryOut(work, chunk) : write(work, chunk);
    },
    async end({ connection }) {
      if (created < MANY) return;
      const tables = list_id === null ? 'mail_contacts' : 'mail_contacts, mail_list_members';
      await connection.query(`ANALYZE ${tables}`, [], { prepared: false });
    },
  };

  async function write(work: Work, { firsts, repeats, repeat_count }: Prepared): Promise<Merged> {
    const { connection, organization_id } = work;
    const now = work.now.toISOString();
    const counts = { ...noCounts(), duplicate: repeat_count };
    const written: Written = { kept: [], changed: [], joined: [], unindexed: [] };
    const suppressed = await suppressedNumbers(work);
    const consent = rules.consent && JSON.stringify(rules.consent);
    const values = [organization_id, import_id, now, consent, orNull([...suppressed])];
    const [added] = await connection.query<{ count: number }>(INSERT, values);
    counts.created = added!.count;
    const not_new = new Set(suppressed);
    if (counts.created < firsts.length) {
      const met = await connection.query<Known & { number: number }>(MET, [
        organization_id,
        import_id,
        list_id,
      ]);
      for (const { number, ...known } of met) {
        not_new.add(number);
        counts[meet(work, known, firsts[number]!.incoming, suppressed.has(number), written)] += 1;
      }
      await suppressUnknown(
        work,
        firsts,
        suppressed,
        new Set(met.map(({ number }) => number)),
        counts,
        written,
      );
      if (not_new.size + counts.created !== firsts.length) throw lostAnAddress();
    }
    const hasNew = counts.created > 0;
    let joined = 0;
    if (list_id !== null && hasNew) joined += await count(work, JOIN_NEW, [now, orNull([...not_new])]);
    if (repeats.size > 0 && on_conflict !== 'skip')
      await mergeRepeats(work, repeats, suppressedKeys(firsts, suppressed), written);
    joined += await writeChanges(work, written);
    if (list_id !== null && joined > 0) {
      await lockMailLists(work, [list_id]);
      changeCounts(work, [{ list_id, contacts: joined, active: joined }]);
    }
    created += counts.created;
    const ids = hasNew ? { first: firsts[0]!.id, last: firsts.at(-1)!.id } : null;
    if (ids) leaveUnindexed(work, { first_contact_id: ids.first, last_contact_id: ids.last });
    return { counts, faults: [], ids };
  }

  /** What the first row of an address in this chunk does with the contact that has it. */
  function meet(work: Work, known: Known, incoming: Incoming, isSuppressed: boolean, written: Written) {
    const isFurther = known.is_own || known.outcome !== null;
    if (isSuppressed || known.status !== 'active' || known.has_left) {
      if (!isFurther) written.kept.push(plain(known.id, 'suppressed'));
      return isFurther ? ('duplicate' as const) : ('suppressed' as const);
    }
    if (on_conflict === 'skip') {
      if (!isFurther) written.kept.push(plain(known.id, 'skipped'));
      return isFurther ? ('duplicate' as const) : ('skipped' as const);
    }
    if (list_id !== null && !known.is_member) written.joined.push(known.id);
    const hasChanged = apply(work, known, [incoming], written);
    if (isFurther) return 'duplicate' as const;
    if (!hasChanged) written.kept.push(plain(known.id, 'unchanged'));
    return hasChanged ? ('updated' as const) : ('unchanged' as const);
  }

  /** Applies rows to a contact in their order, and notes what they changed; answers whether they did. */
  function apply(work: Work, known: Known, rows: readonly Incoming[], written: Written): boolean {
    const before: Person = known;
    const after = rows.reduce((person, row) => merged(person, row, rules), before);
    const changes = differences(before, after);
    if (Object.keys(changes).length === 0) return false;
    const updated_at = work.touch(known);
    const { first_name, last_name, attributes, consent } = after;
    const search_text = mailSearchText({ email: known.email, first_name, last_name });
    const full_name = fullName(after) || null;
    written.changed.push({
      id: known.id,
      first_name,
      last_name,
      full_name,
      attributes,
      consent,
      search_text,
      updated_at,
    });
    if ('first_name' in changes || 'last_name' in changes) written.unindexed.push(known.id);
    const outcome = known.outcome ?? (known.is_own ? 'created' : 'updated');
    const was = outcome === 'created' ? null : overwritten(known.before, changes);
    written.kept.push({ key: known.id, outcome, before: was, changed_at: updated_at });
    return true;
  }

  async function mergeRepeats(
    work: Work,
    repeats: Prepared['repeats'],
    suppressed: ReadonlySet<string>,
    written: Written,
  ): Promise<void> {
    await writeChanges(work, written, { isLast: false });
    const keys = [...repeats.keys()];
    const values = [work.organization_id, import_id, list_id, keys];
    for (const known of await work.connection.query<Known>(REPEATED, values)) {
      if (suppressed.has(known.email_key) || known.status !== 'active' || known.has_left) continue;
      apply(work, known, repeats.get(known.email_key)!, written);
    }
  }

  /** Sends what is noted so far, so that the repeats of the chunk find it; answers how many joined the list. */
  async function writeChanges(work: Work, written: Written, { isLast = true } = {}): Promise<number> {
    const { kept, changed, joined, unindexed } = written;
    if (changed.length > 0) work.run(CHANGE, [work.organization_id, JSON.stringify(changed)]);
    keepOutcomes(work, import_id, kept);
    await work.flush();
    written.changed = [];
    written.kept = [];
    if (!isLast) return 0;
    if (unindexed.length > 0) leaveUnindexed(work, { contact_ids: [...new Set(unindexed)] });
    return joined.length > 0 ? count(work, JOIN_KNOWN, [work.now.toISOString(), joined]) : 0;
  }

  /** Suppressed addresses without a contact are known by their key. */
  async function suppressUnknown(
    work: Work,
    firsts: readonly Staged[],
    suppressed: ReadonlySet<number>,
    met: ReadonlySet<number>,
    counts: Merged['counts'],
    written: Written,
  ): Promise<void> {
    const keys = [...suppressed]
      .filter((number) => !met.has(number))
      .map((number) => firsts[number]!.incoming.email_key);
    const known = await outcomesOf(work, import_id, keys);
    for (const key of keys) {
      counts[known.has(key) ? 'duplicate' : 'suppressed'] += 1;
      if (!known.has(key)) written.kept.push(plain(key, 'suppressed'));
    }
  }

  /** A dry run: what would become of each address, kept by its key, and nothing else. */
  async function tryOut(work: Work, { firsts, repeat_count }: Prepared): Promise<Merged> {
    const counts = { ...noCounts(), duplicate: repeat_count };
    const suppressed = await suppressedNumbers(work);
    const values = [work.organization_id, import_id, list_id];
    const met = await work.connection.query<Known & { number: number }>(MET, values);
    const byNumber = new Map(met.map((known) => [known.number, known]));
    const keys = firsts.map(({ incoming }) => incoming.email_key);
    const earlier = await outcomesOf(work, import_id, keys);
    const kept: KeptOutcome[] = [];
    const nothing: Written = { kept: [], changed: [], joined: [], unindexed: [] };
    for (const { number, incoming } of firsts) {
      if (earlier.has(incoming.email_key)) {
        counts.duplicate += 1;
        continue;
      }
      const known = byNumber.get(number);
      const isSuppressed = suppressed.has(number);
      const outcome = known
        ? meet(work, known, incoming, isSuppressed, nothing)
        : isSuppressed
          ? 'suppressed'
          : 'created';
      counts[outcome] += 1;
      if (outcome !== 'duplicate') kept.push(plain(incoming.email_key, outcome));
    }
    keepOutcomes(work, import_id, kept);
    return { counts, faults: [] };
  }

  async function suppressedNumbers(work: Work): Promise<Set<number>> {
    const rows = await work.connection.query<{ number: number }>(SUPPRESSED, [work.organization_id]);
    return new Set(rows.map(({ number }) => number));
  }

  async function count(work: Work, text: string, values: unknown[]): Promise<number> {
    const all = [work.organization_id, import_id, list_id, ...values];
    const [row] = await work.connection.query<{ count: number }>(text, all);
    return row!.count;
  }
}

async function refuseLostList(work: Work, list_id: string | null): Promise<void> {
  if (list_id === null) return;
  const text = 'SELECT FROM mail_lists WHERE organization_id = $1 AND id = $2';
  const rows = await work.connection.query(text, [work.organization_id, list_id]);
  if (rows.length === 0) throw new ImportRefused('unknown_reference', 'The list was deleted meanwhile');
}

function plain(key: string, outcome: KeptOutcome['outcome']): KeptOutcome {
  return { key, outcome, before: null, changed_at: null };
}

function orNull(numbers: number[]): number[] | null {
  return numbers.length > 0 ? numbers : null;
}

function suppressedKeys(firsts: readonly Staged[], numbers: ReadonlySet<number>): Set<string> {
  return new Set([...numbers].map((number) => firsts[number]!.incoming.email_key));
}

/** A contact was deleted between two looks: the transaction is run again, as if it had lost against another one. */
function lostAnAddress(): Error {
  return Object.assign(new Error('An address was deleted while it was merged'), { code: '40001' });
}
