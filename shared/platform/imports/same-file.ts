import type { Reader } from '../../kernel/reader.ts';
import type { Sentence } from '../../kernel/sentences.ts';
import type { Work } from '../../kernel/work.ts';
import type { ImportDomain, UnitRow } from './domain.ts';
import type { CommonOptions } from './options.ts';

/** What is odd about the file of an import, though it was taken; the sentence is one of `importSentences`. */
export type FileWarning = { code: 'duplicate_file'; message: string };

/** How many imports of the same file are told. */
const MOST = 5;

/**
 * Imports that took rows of a file of these bytes, or are about to, and of which something is still there: newest first. One
 * that was undone counts where it left records behind; one that ended with nothing but faults, or without a row, does not.
 */
const SAME_FILE = `
  SELECT id FROM imports
   WHERE organization_id = $1 AND kind = $2 AND file_sha256 = $3 AND NOT dry_run
     AND (status IN ('queued', 'running', 'paused') OR processed_rows > error_count)
     AND (status <> 'reverted' OR (revert->>'left_count')::integer > 0)
   ORDER BY id DESC LIMIT ${MOST}`;

/** The imports of a kind that took the same file before, newest first, at most 5. `sha256` is in hexadecimal. */
export async function importsOfFile(
  { connection, organization_id }: Reader,
  kind: string,
  sha256: string,
): Promise<string[]> {
  const found = await connection.query<{ id: string }>(SAME_FILE, [organization_id, kind, sha256]);
  return found.map(({ id }) => id);
}

/**
 * The same, for an import that is being made: of two that are asked for at one moment the second one waits for the first, and
 * sees it. It is the last lock of such a work.
 */
export async function earlierImportsOfFile(work: Work, kind: string, sha256: string): Promise<string[]> {
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `imported file ${work.organization_id} ${kind} ${sha256}`,
  ]);
  return importsOfFile(work, kind, sha256);
}

const sameFileAs = (import_id: string) => ({
  en: `This file came in before, as ${import_id}: its rows without a key of their own make their records once more, so undo one of the two imports unless both are meant`,
  ja: `このファイルは ${import_id} として取り込み済みです。固有のキーがない行は、もう一度新しく登録されて二重になります。意図したものでなければ、どちらか一方のインポートを取り消してください`,
});

/** The same where nothing is written yet, by a preview or a dry run: there is no second import to undo. */
const sameFileTriedAs = (import_id: string) => ({
  en: `This file came in before, as ${import_id}: its rows without a key of their own would make their records once more, so do not import it again unless both are meant`,
  ja: `このファイルは ${import_id} として取り込み済みです。取り込むと、固有のキーがない行はもう一度新しく登録されて二重になります。意図したものでなければ、取り込まないでください`,
});

/** What warnings of imports say. */
export const importSentences: readonly Sentence[] = [sameFileAs, sameFileTriedAs];

/**
 * What is to be said of a file that these imports took before: nothing where its first rows all have something that they are
 * known by, as the same records come out of it then. `writes` is whether the file is being imported, not only looked at or tried.
 */
export function fileWarnings<Options extends CommonOptions>(
  { makesAnew }: Pick<ImportDomain<Options>, 'makesAnew'>,
  [latest]: readonly string[],
  rows: readonly UnitRow[],
  options: Options,
  { writes }: { writes: boolean },
): FileWarning[] {
  if (latest === undefined || !makesAnew?.(rows, options)) return [];
  const sentence = writes ? sameFileAs : sameFileTriedAs;
  return [{ code: 'duplicate_file', message: sentence(latest).en }];
}
