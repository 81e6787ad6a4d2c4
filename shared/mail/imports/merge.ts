import type { Bulk } from '../../db/bulk.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { CopyRows } from '../../platform/imports/copy-rows.ts';
import { type ImportRun, type ImportSession, type Merged, noCounts } from '../../platform/imports/domain.ts';
import { ImportFailure } from '../../platform/imports/import-failure.ts';
import { outcomesOf } from '../../platform/imports/outcomes.ts';
import { leaveUnindexed } from '../contacts/search-index.ts';
import { changeCounts } from '../lists/counters.ts';
import type { Rules, Said } from './decide.ts';
import { type ExistingContact, ExistingContacts, plainOutcome } from './existing-contacts.ts';
import type { MailImportOptions } from './options.ts';
import { type Prepared, StagedRows, stagedColumns } from './staging.ts';
import {
  copyNew,
  copyStaged,
  createStaging,
  HAS_OTHERS,
  HAS_SUPPRESSIONS,
  insertStaged,
  JOIN,
  JOIN_NEW,
  MAY_WRITE_STRAIGHT,
  MET,
  REPEATED,
  SETTINGS,
  STAGE,
  SUPPRESSED,
} from './statements.ts';

/** Rows of a chunk: what the process holds of them at a time, and what one transaction writes. */
const CHUNK_ROWS = 20_000;

/** Chunks that are staged after one that met a known address, before the straight way is tried again. */
const CAREFUL_CHUNKS = 20;

/** Merges the rows of an import of mail contacts. */
export async function mailSession(reader: Reader, run: ImportRun<MailImportOptions>): Promise<ImportSession> {
  const { import_id, dry_run, on_conflict, options } = run;
  const { organization_id } = reader;
  const rules: Rules = { on_conflict, consent: options.consent ?? null };
  const list_id = options.list_id ?? null;
  const takes_attributes = options.keep_unmapped === true || run.mapped.includes('attributes');
  const columns = stagedColumns({ rules, takes_attributes }).join(', ');
  const rows = new CopyRows();
  const [others] = await reader.connection.query<{ has_others: boolean }>(HAS_OTHERS, [
    organization_id,
    import_id,
  ]);
  let careful = others!.has_others ? Number.POSITIVE_INFINITY : 0;
  const filled = list_id === null ? ['mail_contacts'] : ['mail_contacts', 'mail_list_members'];

  return {
    chunk_rows: CHUNK_ROWS,
    gather: (now) => new StagedRows({ organization_id, import_id, rules, takes_attributes }, now, rows),
    async begin({ connection }: Bulk) {
      for (const setting of SETTINGS.split(';')) await connection.query(setting, [], { prepared: false });
      await connection.query(createStaging(columns), [], { prepared: false });
    },
    async merge(work, bulk, _rows, prepared): Promise<Merged> {
      const chunk = prepared as Prepared;
      if (dry_run) return tryOut(work, bulk, chunk);
      const known = new ExistingContacts(work, run, rules);
      const is_straight = await writeStraight(work, bulk, chunk);
      const counts = is_straight
        ? { ...noCounts(), created: chunk.keys.size }
        : await stage(work, bulk, chunk, known);
      counts.duplicate += chunk.repeat_count;
      await finish(work, chunk, known, counts.created);
      return { counts, faults: [], ids: idsOf(chunk, counts.created) };
    },
    // Chunks of new addresses without a list look nothing up.
    lookedUp: () => (careful > 0 || list_id !== null ? filled : []),
    filled: () => filled,
  };

  /** Writes a chunk whose addresses should all be new; false, with nothing written, when one is not. */
  async function writeStraight(work: Work, bulk: Bulk, chunk: Prepared): Promise<boolean> {
    if (careful > 0) {
      careful -= 1;
      return false;
    }
    if (!(await asked(work, MAY_WRITE_STRAIGHT))) return false;
    const { connection } = work;
    await connection.query('SAVEPOINT straight');
    try {
      await bulk.copyIn(copyNew(columns), chunk.copy);
    } catch (error) {
      if ((error as { constraint?: string }).constraint !== 'mail_contacts_email_once') throw error;
      careful = CAREFUL_CHUNKS;
      await connection.query('ROLLBACK TO SAVEPOINT straight');
      return false;
    }
    if (await hasSuppressions(work)) {
      await connection.query('ROLLBACK TO SAVEPOINT straight');
      return false;
    }
    await connection.query('RELEASE SAVEPOINT straight');
    if (list_id !== null) await joinNew(work, chunk);
    return true;
  }

  /** Writes a chunk of which some addresses are known, or must not be mailed. */
  async function stage(
    work: Work,
    bulk: Bulk,
    chunk: Prepared,
    known: ExistingContacts,
  ): Promise<Merged['counts']> {
    const { keys } = chunk;
    await asked(work, STAGE);
    await bulk.copyIn(copyStaged(columns), chunk.copy);
    const counts = noCounts();
    const suppressed = await suppressedKeys(work);
    const left_out = suppressed.size > 0 ? [...suppressed] : null;
    const [added] = await work.connection.query<{ count: number }>(insertStaged(columns), [left_out]);
    counts.created = added!.count;
    // A contact that was erased while its address was waited for has left a suppression that is seen only now.
    if (!(await suppressedKeys(work)).isSubsetOf(suppressed)) throw lostAnAddress();
    const others = new Set<string>(suppressed);
    if (counts.created < keys.size) {
      for (const met of await metContacts(work)) {
        others.add(met.email_key);
        counts[known.meet(met, saidOf(met, chunk), suppressed.delete(met.email_key))] += 1;
      }
      // Suppressed addresses without a contact are known by their key.
      const earlier = await outcomesOf(work, import_id, [...suppressed]);
      for (const key of suppressed) {
        counts[earlier.has(key) ? 'duplicate' : 'suppressed'] += 1;
        if (!earlier.has(key)) known.keep(plainOutcome(key, 'suppressed'));
      }
      if (others.size + counts.created !== keys.size) throw lostAnAddress();
    }
    if (list_id !== null && counts.created > 0) await joinNew(work, chunk);
    return counts;
  }

  /** The repeats of the chunk, what joins the list, and the letters of new contacts. */
  async function finish(work: Work, chunk: Prepared, known: ExistingContacts, count: number): Promise<void> {
    if (chunk.repeats.size > 0 && on_conflict !== 'skip') {
      await known.flush();
      const suppressed = await suppressedKeys(work);
      const values = [work.organization_id, import_id, list_id, [...chunk.repeats.keys()]];
      for (const one of await work.connection.query<ExistingContact>(REPEATED, values)) {
        if (suppressed.has(one.email_key) || one.status !== 'active' || one.has_left) continue;
        known.apply(one, chunk.repeats.get(one.email_key)!);
      }
    }
    await known.finish();
    if (known.joined.length > 0) await join(work, known.joined);
    const ids = idsOf(chunk, count);
    if (ids) leaveUnindexed(work, { first_contact_id: ids.first, last_contact_id: ids.last });
  }

  /** A dry run: what would become of each address, kept by its key, and nothing else. */
  async function tryOut(work: Work, bulk: Bulk, chunk: Prepared): Promise<Merged> {
    await asked(work, STAGE);
    await bulk.copyIn(copyStaged(columns), chunk.copy);
    const counts = { ...noCounts(), duplicate: chunk.repeat_count };
    const suppressed = await suppressedKeys(work);
    const met = new Map((await metContacts(work)).map((known) => [known.email_key, known]));
    const earlier = await outcomesOf(work, import_id, [...chunk.keys.keys()]);
    const result = new ExistingContacts(work, run, rules);
    const nothing = new ExistingContacts(work, run, rules);
    for (const key of chunk.keys.keys()) {
      const known = met.get(key);
      const isSuppressed = suppressed.has(key);
      const fresh = isSuppressed ? 'suppressed' : 'created';
      const outcome = earlier.has(key)
        ? 'duplicate'
        : known
          ? nothing.meet(known, saidOf(known, chunk), isSuppressed)
          : fresh;
      counts[outcome] += 1;
      if (outcome !== 'duplicate') result.keep(plainOutcome(key, outcome));
    }
    await result.flush();
    return { counts, faults: [] };
  }

  /** Takes the lock of the way that a chunk is written, and refuses to go on without the list. */
  async function asked(work: Work, text: string): Promise<boolean> {
    const [row] = await work.connection.query<{ is_free: boolean; has_list: boolean }>(text, [
      organization_id,
      list_id,
    ]);
    if (!row!.has_list) throw new ImportFailure('unknown_reference', 'The list was deleted meanwhile');
    return row!.is_free;
  }

  /** Asked once more after the rows: an address that was waited for may have been erased, which leaves a suppression. */
  async function hasSuppressions(work: Work): Promise<boolean> {
    const [row] = await work.connection.query<{ has_some: boolean }>(HAS_SUPPRESSIONS, [organization_id]);
    return row!.has_some;
  }

  async function suppressedKeys(work: Work): Promise<Set<string>> {
    const rows = await work.connection.query<{ email_key: string }>(SUPPRESSED, [organization_id]);
    return new Set(rows.map(({ email_key }) => email_key));
  }

  function metContacts(work: Work): Promise<Met[]> {
    return work.connection.query<Met>(MET, [organization_id, import_id, list_id]);
  }

  /** Puts contacts into the list and counts them there, after all contacts of the chunk are locked or new. */
  function join(work: Work, ids: readonly string[]): Promise<void> {
    return joined(work, JOIN, [ids]);
  }

  function joinNew(work: Work, { first_id, last_id }: Prepared): Promise<void> {
    return joined(work, JOIN_NEW, [first_id, last_id]);
  }

  async function joined(work: Work, text: string, whom: readonly unknown[]): Promise<void> {
    const values = [organization_id, import_id, list_id, work.now.toISOString(), ...whom];
    const [joined] = await work.connection.query<{ count: number }>(text, values);
    if (joined!.count === 0) return;
    changeCounts(work, [{ list_id: list_id!, contacts: joined!.count, active: joined!.count }]);
  }
}

/** A contact that a staged row met, with the names that the row says. */
type Met = ExistingContact & { said_first_name: string | null; said_last_name: string | null };

/** What the row said: blank cells say nothing, but for the part that a whole name has not. */
function saidOf(met: Met, { whole_names, attributes }: Prepared): Said {
  const is_whole_name = whole_names.has(met.email_key);
  const nothing = is_whole_name ? null : undefined;
  return {
    first_name: met.said_first_name ?? nothing,
    last_name: met.said_last_name ?? nothing,
    is_whole_name,
    attributes: attributes.get(met.email_key) ?? null,
  };
}

function idsOf({ first_id, last_id }: Prepared, created: number): { first: string; last: string } | null {
  return created === 0 ? null : { first: first_id!, last: last_id! };
}

/** A contact was deleted between two looks: the transaction is run again, as if it had lost against another one. */
function lostAnAddress(): Error {
  return Object.assign(new Error('An address was deleted while it was merged'), { code: '40001' });
}
