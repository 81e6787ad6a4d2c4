import { isSameJson } from '../../kernel/same-json.ts';
import type { Work } from '../../kernel/work.ts';
import type { ImportRun, RevertBatch, RevertCounts } from '../../platform/imports/domain.ts';
import type { Reference } from '../../platform/references.ts';
import { ALONG_THE_WAY, flat, type Overwritten } from './journal.ts';
import { lockImports } from './merge.ts';
import type { Kept } from './records.ts';
import { lockTags, removeTags } from './take-tags.ts';

/** Records that an import made, with `updated_at` as the import left them. */
export type Made = ReadonlyMap<string, string>;

/** How what an import did to a kind of record is undone. */
export type Reverter = {
  /** Gives values back that nobody has changed since, with events and audit entries. */
  restore(work: Work, overwritten: ReadonlyMap<string, Overwritten>): Promise<Partial<RevertCounts>>;
  /** Removes records that nobody has changed since and nothing refers to. */
  remove: Remover;
};

export type Remover = (work: Work, made: Made, references: readonly Reference[]) => Promise<Removed>;

/** `held_count` are those of the left that only records below them kept, which the import may have made too. */
export type Removed = Partial<RevertCounts> & { held_count?: number };

/**
 * A pass over what was made: by falling keys at first, then by rising and falling ones in turns. A pass says how many it
 * removed, and how many were held by others that stand behind them in its order.
 */
type Pass = { phase: 'remove' | 'rising' | 'falling'; key: string; deleted: number; held: number };

const BATCH = 500;

/**
 * Undoes a batch: first all values are given back, so that nothing hangs on what was made, then what was made is
 * removed, the latest first. What was held by records that went behind it is asked again, until a pass removes nothing.
 * `after` says how far that is.
 */
export async function revertRows(
  work: Work,
  { import_id }: Pick<ImportRun, 'import_id'>,
  after: string | null,
  removal: { reverter: Reverter; companies: Remover; references: readonly Reference[] },
): Promise<RevertBatch> {
  await lockImports(work);
  const [phase, key, deleted, held] = after === null ? ['restore', ''] : after.split(' ');
  if (phase === 'restore') {
    const outcomes = await overwrittenAfter(work, import_id, key!);
    const restored = await removal.reverter.restore(
      work,
      new Map(outcomes.map((each) => [each.key, each.before])),
    );
    const last = outcomes.length < BATCH ? null : outcomes.at(-1)!.key;
    return { next: last === null ? 'remove ~' : `restore ${last}`, counts: whole(restored) };
  }
  const pass = { phase, key: key!, deleted: Number(deleted ?? 0), held: Number(held ?? 0) } as Pass;
  return removeRows(work, import_id, pass, removal);
}

async function removeRows(
  work: Work,
  import_id: string,
  pass: Pass,
  {
    reverter,
    companies,
    references,
  }: { reverter: Reverter; companies: Remover; references: readonly Reference[] },
): Promise<RevertBatch> {
  const outcomes = await madeBeyond(work, import_id, pass);
  const tag_ids = [...outcomesOf(outcomes, `${ALONG_THE_WAY}tag_`).keys()];
  await lockTags(work, tag_ids);
  const { held_count = 0, ...own } = await reverter.remove(work, outcomesOf(outcomes, ''), references);
  const counts = whole(own);
  await work.flush();
  const deleted = pass.deleted + counts.deleted_count;
  const held = pass.held + held_count;
  const last = outcomes.length < BATCH ? null : outcomes.at(-1)!.key;
  const next = last === null ? afterPass(pass, deleted, held) : `${pass.phase} ${last} ${deleted} ${held}`;
  // The first pass counted what it left.
  if (pass.phase !== 'remove') return { next, counts: { ...counts, left_count: -counts.deleted_count } };
  const along = await companies(work, outcomesOf(outcomes, `${ALONG_THE_WAY}comp_`), references);
  await work.flush();
  await removeTags(work, tag_ids);
  for (const name of ['deleted_count', 'left_count'] as const) counts[name] += along[name] ?? 0;
  return { next, counts };
}

/** The next pass, where the last one removed something that may have held others. */
function afterPass({ phase }: Pass, deleted: number, held: number): string | null {
  if (deleted === 0 || held === 0) return null;
  return phase === 'rising' ? 'falling ~' : 'rising !';
}

function whole(counts: Partial<RevertCounts>): RevertCounts {
  const none = { deleted_count: 0, restored_count: 0, removed_membership_count: 0, left_count: 0 };
  return { ...none, ...counts };
}

type MadeOutcome = { key: string; changed_at: string | null; is_met: boolean };

/** What was made under keys that begin so, none of which a later import has met: that counts as a change. */
function outcomesOf(outcomes: readonly MadeOutcome[], start: string): Made {
  const own = outcomes.filter(({ key }) =>
    start === '' ? !key.startsWith(ALONG_THE_WAY) : key.startsWith(start),
  );
  const bare = (key: string) => (start === '' ? key : key.slice(ALONG_THE_WAY.length));
  return new Map(own.map(({ key, changed_at, is_met }) => [bare(key), is_met ? '' : (changed_at ?? '')]));
}

function overwrittenAfter(
  work: Work,
  import_id: string,
  key: string,
): Promise<{ key: string; before: Overwritten }[]> {
  return work.connection.query(
    `SELECT key, before FROM import_outcomes
      WHERE organization_id = $1 AND import_id = $2 AND key > $3 AND before IS NOT NULL ORDER BY key LIMIT $4`,
    [work.organization_id, import_id, key, BATCH],
  );
}

function madeBeyond(work: Work, import_id: string, { phase, key }: Pass): Promise<MadeOutcome[]> {
  const [beyond, order] = phase === 'rising' ? ['>', 'ASC'] : ['<', 'DESC'];
  return work.connection.query<MadeOutcome>(
    `SELECT key, changed_at, EXISTS (
              SELECT FROM import_outcomes AS other
               WHERE other.organization_id = $1 AND other.import_id <> $2
                 AND other.key = ltrim(outcome.key, '${ALONG_THE_WAY}')) AS is_met
       FROM import_outcomes AS outcome
      WHERE organization_id = $1 AND import_id = $2 AND key ${beyond} $3 AND outcome = 'created'
      ORDER BY key ${order} LIMIT $4`,
    [work.organization_id, import_id, key, BATCH],
  );
}

/**
 * The values of a record that can be given back: those that are still what the import wrote, and that `allows` lets
 * stand. `left` counts the others.
 */
export function valuesToGiveBack(
  present: Kept,
  overwritten: Overwritten,
  allows: (field: string, value: unknown) => boolean,
): { values: Kept; left: number } {
  const now = flat(present);
  const given = Object.entries(overwritten).filter(([field, [was, written]]) => {
    if (field === 'tags') return false;
    return isSameJson(now[field] ?? null, written) && allows(field, was);
  });
  const fields = Object.keys(overwritten).filter((field) => field !== 'tags').length;
  return {
    values: Object.fromEntries(given.map(([field, [was]]) => [field, was])),
    left: fields - given.length,
  };
}
