import type { Bulk } from '../../db/bulk.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Work } from '../../kernel/work.ts';
import { CopyRows } from '../../platform/imports/copy-rows.ts';
import {
  type ImportRow,
  type ImportRun,
  type ImportSession,
  type Merged,
  noCounts,
} from '../../platform/imports/domain.ts';
import { ImportFailure } from '../../platform/imports/import-failure.ts';
import { outcomesOf } from '../../platform/imports/outcomes.ts';
import { keepConsentsOfNew } from '../consent-records/keep.ts';
import { leaveUnindexed } from '../contacts/search-index.ts';
import { reasonsOfMail } from '../failure-reasons.ts';
import { changeCounts } from '../lists/counters.ts';
import type { Rules } from './decide.ts';
import { type ExistingContact, ExistingContacts, plainOutcome } from './existing-contacts.ts';
import { idsOf, isAsJudged, lostAnAddress, type Met, saidOf } from './met.ts';
import type { MailImportOptions } from './options.ts';
import { type JudgedKeys, judgeKeys, releaseKeys, writeKeys } from './own-keys.ts';
import { settler } from './settle.ts';
import { type Prepared, StagedRows, stagedColumns } from './staging.ts';
import {
  copyNew,
  copyStaged,
  createStaging,
  HAS_OTHERS,
  insertStaged,
  JOIN,
  JOIN_NEW,
  MAY_WRITE_STRAIGHT,
  MET,
  REPEATED,
  SETTINGS,
  STAGE,
} from './statements.ts';
import { hasSuppressions, suppressedAmong, suppressedKeys } from './suppressed.ts';

/** Rows of a chunk: what the process holds of them at a time, and what one transaction writes. */
const CHUNK_ROWS = 20_000;

/** The same where rows say own keys: each is decided by itself, and is held until the chunk is written. */
const KEYED_CHUNK_ROWS = 1_000;

/** Chunks that are staged after one that met a known address, before the straight way is tried again. */
const CAREFUL_CHUNKS = 20;

/** Merges the rows of an import of mail contacts. */
export async function mailSession(reader: Reader, run: ImportRun<MailImportOptions>): Promise<ImportSession> {
  const { import_id, dry_run, on_conflict, options } = run;
  const { organization_id } = reader;
  const rules: Rules = { on_conflict, consent: options.consent ?? null };
  const list_id = options.list_id ?? null;
  const takes_attributes = options.keep_unmapped === true || run.mapped.includes('attributes');
  const takes_keys = run.mapped.includes('external_id') || run.mapped.includes('metadata');
  const preparing = { organization_id, import_id, rules, takes_attributes, takes_keys };
  const columns = stagedColumns(preparing).join(', ');
  const rows = new CopyRows();
  const takes_whole_names = run.mapped.includes('full_name');
  // Own keys are decided by themselves, before anything is written.
  const settle = takes_keys
    ? null
    : settler({ import_id, rules, list_id, takes_attributes, takes_whole_names });
  const [others] = await reader.connection.query<{ has_others: boolean }>(HAS_OTHERS, [
    organization_id,
    import_id,
  ]);
  let careful = others!.has_others || takes_keys ? Number.POSITIVE_INFINITY : 0;
  const filled = list_id === null ? ['mail_contacts'] : ['mail_contacts', 'mail_list_members'];

  return {
    chunk_rows: takes_keys ? KEYED_CHUNK_ROWS : CHUNK_ROWS,
    ...(!takes_keys && { gather: (now) => new StagedRows(preparing, now, rows) }),
    async begin({ connection }: Bulk) {
      for (const setting of SETTINGS.split(';')) await connection.query(setting, [], { prepared: false });
      await connection.query(createStaging(columns), [], { prepared: false });
    },
    merge: (work, bulk, chunk_rows, prepared) =>
      takes_keys ? mergeKeyed(work, bulk, chunk_rows) : mergeChunk(work, bulk, prepared as Prepared, null),
    // Chunks of new addresses without a list look nothing up.
    lookedUp: () => (careful > 0 || list_id !== null ? filled : []),
    filled: () => filled,
  };

  async function mergeChunk(
    work: Work,
    bulk: Bulk,
    chunk: Prepared,
    judged: JudgedKeys | null,
  ): Promise<Merged> {
    if (dry_run) return tryOut(work, bulk, chunk, judged);
    const known = new ExistingContacts(work, run, rules);
    const is_straight = await writeStraight(work, bulk, chunk);
    const counts = is_straight
      ? { ...noCounts(), created: chunk.keys.size }
      : await stage(work, bulk, chunk, known, judged);
    counts.duplicate += chunk.repeat_count;
    await finish(work, chunk, known, counts.created, judged);
    return { counts, faults: [], ids: idsOf(chunk, counts.created) };
  }

  /** The same of rows that say own keys: those that are refused for them are taken out before. */
  async function mergeKeyed(work: Work, bulk: Bulk, chunk_rows: readonly ImportRow[]): Promise<Merged> {
    await asked(work, STAGE);
    const suppressedOf = (email_keys: readonly string[]) => suppressedAmong(work, email_keys);
    const judged = await judgeKeys(work, chunk_rows, { on_conflict, list_id, suppressedOf });
    const staged = new StagedRows(preparing, work.now, rows);
    for (const { row, keys, email_key } of judged.rows) staged.take(row, keys, judged.after.get(email_key)!);
    try {
      if (!dry_run) {
        releaseKeys(work, judged);
        await work.flush();
      }
      const { counts, ids = null } = await mergeChunk(work, bulk, staged.done(), judged);
      if (!dry_run) {
        writeKeys(work, judged);
        await work.flush();
      }
      counts.error += judged.faults.length;
      return { counts, faults: judged.faults, ids };
    } catch (error) {
      // Somebody else took an ID meanwhile: the chunk is run again, and its row is refused.
      if ((error as { constraint?: string }).constraint !== 'mail_contacts_external_id_once') throw error;
      throw lostAnAddress();
    }
  }

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
    judged: JudgedKeys | null,
  ): Promise<Merged['counts']> {
    const { keys } = chunk;
    await asked(work, STAGE);
    await bulk.copyIn(copyStaged(columns), chunk.copy);
    const counts = noCounts();
    const suppressed = await suppressedKeys(work);
    if (judged && !isAsJudged(suppressed, judged, keys)) throw lostAnAddress();
    const makeMissing = () => makeNew(work, suppressed);
    const settled = (await settle?.(work, chunk, { suppressed, counts, makeNew: makeMissing })) ?? 0;
    if (!settle) counts.created = await makeMissing();
    const others = new Set<string>(suppressed);
    if (settled + counts.created < keys.size) {
      for (const met of await metContacts(work, judged)) {
        others.add(met.email_key);
        counts[known.meet(met, saidOf(met, chunk), suppressed.delete(met.email_key))] += 1;
      }
      // Suppressed addresses without a contact are known by their key.
      const earlier = await outcomesOf(work, import_id, [...suppressed]);
      for (const key of suppressed) {
        counts[earlier.has(key) ? 'duplicate' : 'suppressed'] += 1;
        if (!earlier.has(key)) known.keep(plainOutcome(key, 'suppressed'));
      }
      if (settled + others.size + counts.created !== keys.size) throw lostAnAddress();
    }
    if (list_id !== null && counts.created > 0) await joinNew(work, chunk);
    return counts;
  }

  /** Makes contacts of the staged addresses that are not known; answers how many. */
  async function makeNew(work: Work, suppressed: ReadonlySet<string>): Promise<number> {
    const left_out = suppressed.size > 0 ? [...suppressed] : null;
    const [added] = await work.connection.query<{ count: number }>(insertStaged(columns), [left_out]);
    // A contact that was erased while its address was waited for has left a suppression that is seen only now.
    if (!(await suppressedKeys(work)).isSubsetOf(suppressed)) throw lostAnAddress();
    return added!.count;
  }

  /** The repeats of the chunk, what joins the list, and the letters of new contacts. */
  async function finish(
    work: Work,
    chunk: Prepared,
    known: ExistingContacts,
    count: number,
    judged: JudgedKeys | null,
  ): Promise<void> {
    if (chunk.repeats.size > 0 && on_conflict !== 'skip') {
      await known.flush();
      const suppressed = await suppressedKeys(work);
      const values = [work.organization_id, import_id, list_id, [...chunk.repeats.keys()]];
      for (const one of await work.connection.query<ExistingContact>(REPEATED, values)) {
        if (suppressed.has(one.email_key) || one.status !== 'active' || one.has_left) continue;
        if (judged) one.keys = judged.after_first.get(one.email_key)!;
        known.apply(one, chunk.repeats.get(one.email_key)!);
      }
    }
    await known.finish();
    if (known.joined.length > 0) await join(work, known.joined);
    const ids = idsOf(chunk, count);
    if (!ids) return;
    if (rules.consent !== null) keepConsentsOfNew(work, import_id, ids);
    leaveUnindexed(work, { first_contact_id: ids.first, last_contact_id: ids.last });
  }

  /** A dry run: what would become of each address, kept by its key, and nothing else. */
  async function tryOut(work: Work, bulk: Bulk, chunk: Prepared, judged: JudgedKeys | null): Promise<Merged> {
    await asked(work, STAGE);
    await bulk.copyIn(copyStaged(columns), chunk.copy);
    const counts = { ...noCounts(), duplicate: chunk.repeat_count };
    const suppressed = await suppressedKeys(work);
    const met = new Map((await metContacts(work, judged)).map((known) => [known.email_key, known]));
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
    if (!row!.has_list) throw new ImportFailure('unknown_reference', reasonsOfMail.list_deleted().en);
    return row!.is_free;
  }

  async function metContacts(work: Work, judged: JudgedKeys | null): Promise<Met[]> {
    const met = await work.connection.query<Met>(MET, [organization_id, import_id, list_id]);
    if (!judged) return met;
    for (const one of met) {
      const keys = judged.before.get(one.email_key);
      // It was made since the keys were decided, or is refused since, or no more.
      const isRefused = one.status !== 'active' || one.has_left;
      if (!keys || (isRefused && !judged.refused.has(one.email_key))) throw lostAnAddress();
      one.keys = keys;
    }
    return met;
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
