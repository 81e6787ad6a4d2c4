import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** What programs of others say about a journal. */
export type Judge = {
  /** Runs hledger; answers the rows of its CSV. */
  hledger(...words: string[]): string[][];
  /** Runs hledger; answers its text. */
  text(...words: string[]): string;
  /** The balances by Ledger, by account. */
  ledger(): Map<string, number>;
};

/** Yen in a cell of hledger's: `-1200 JPY`, or `0`. */
export function yenOf(cell: string | undefined): number {
  const [, amount] = /^(-?\d+)(?: JPY)?$/.exec(cell ?? '') ?? [];
  if (amount === undefined) throw new Error(`${cell} is no amount in yen`);
  return Number(amount);
}

/** The code at the end of an account's name. */
export function codeOf(account: string | undefined): string {
  return account?.split(':').at(-1) ?? '';
}

/** Gives a journal to hledger and Ledger for the time of `judge`. */
export async function judged<T>(journal: Buffer, judge: (by: Judge) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hledger-'));
  const file = join(folder, 'books.journal');
  writeFileSync(file, journal);
  const run = (program: string, words: readonly string[]) =>
    execFileSync(program, ['-f', file, ...words], {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
  try {
    return await judge({
      hledger: (...words) => parse(run('hledger', [...words, '-O', 'csv']), { relax_column_count: true }),
      text: (...words) => run('hledger', words),
      ledger() {
        const format = '%(account)\\t%(quantity(scrub(display_total)))\\n';
        const lines = run('ledger', ['bal', '--flat', '--no-total', '--balance-format', format]).split('\n');
        return new Map(
          lines.filter(Boolean).map((line) => {
            const [account, amount] = line.split('\t');
            return [account!, Number(amount)];
          }),
        );
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
