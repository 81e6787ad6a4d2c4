import type { Text } from '../../../kernel/language.ts';
import type { Work } from '../../../kernel/work.ts';
import { cellError } from '../../../platform/imports/cell-errors.ts';
import type { CellError, ImportRow, ImportRun } from '../../../platform/imports/domain.ts';
import { type KeptOutcome, outcomesOf } from '../../../platform/imports/outcomes.ts';
import { isSameMoney, type KnownDeposit, lineKey } from './known.ts';
import type { StatementLine } from './line.ts';

/** A row that says that money came in. */
export type Coming = { row: ImportRow; line: StatementLine };

/**
 * The rows without those whose `external_id` is that of other money, there or above in the file: they are told, not taken for
 * what they are not.
 */
export function judgedByKey(
  coming: readonly Coming[],
  known: ReadonlyMap<string, KnownDeposit>,
  tried: ReadonlySet<string>,
): { sound: Coming[]; repeated: CellError[] } {
  const above = new Map<string, Coming>();
  const repeated: CellError[] = [];
  const sound = coming.filter((one) => {
    const { line, row } = one;
    const { external_id } = line;
    if (external_id === null) return true;
    const deposit = known.get(external_id);
    const first = above.get(external_id);
    if (!first) above.set(external_id, one);
    if (deposit ? !isSameMoney(line, deposit) : tried.has(external_id) && !tried.has(triedKey(line))) {
      repeated.push(cellError(row, 'already_exists', 'external_id', otherMoney(deposit?.id)));
      return false;
    }
    if (deposit || !first || lineKey(first.line) === lineKey(line)) return true;
    repeated.push(cellError(row, 'repeated_key', 'external_id', otherRow(first.row.row)));
    return false;
  });
  return { sound, repeated };
}

function otherMoney(id = ''): Text {
  return {
    en: `Another deposit ${id} of another day or amount has this external_id: correct it, or leave the column out`,
    ja: `日付か金額の違う入金${id}がこの外部IDを使っています。直すか、この列を外してください`,
  };
}

function otherRow(row: number): Text {
  return {
    en: `Row ${row} has the same external_id with other money: correct one of the two, or leave the column out`,
    ja: `${row}行目に同じ外部IDで内容の違う入金があります。どちらかを直すか、この列を外してください`,
  };
}

/** What a dry run remembers of a row above that it would have taken: no deposit does. */
function triedKey(line: StatementLine): string {
  return `${line.external_id} ${lineKey(line)}`;
}

/** The keys of rows that a dry run would have taken in chunks before. */
export async function triedKeys(
  work: Work,
  { import_id, dry_run }: Pick<ImportRun, 'import_id' | 'dry_run'>,
  coming: readonly Coming[],
): Promise<ReadonlySet<string>> {
  if (!dry_run) return new Set();
  const keys = coming.flatMap(({ line }) =>
    line.external_id === null ? [] : [line.external_id, triedKey(line)],
  );
  return new Set((await outcomesOf(work, import_id, keys)).keys());
}

/** What a dry run keeps of rows that it would have taken, for those in chunks that follow. */
export function keptTries(coming: readonly Coming[]): KeptOutcome[] {
  return coming.flatMap(({ line }) => {
    const { external_id } = line;
    if (external_id === null) return [];
    return [external_id, triedKey(line)].map((key) => {
      return { key, outcome: 'created' as const, before: null, changed_at: null };
    });
  });
}

/** The rows without those whose `external_id` stands above. */
export function firstOfKeys(coming: readonly Coming[], tried: ReadonlySet<string>): Coming[] {
  const seen = new Set(tried);
  return coming.filter(({ line: { external_id } }) => {
    if (external_id === null) return true;
    if (seen.has(external_id)) return false;
    seen.add(external_id);
    return true;
  });
}
