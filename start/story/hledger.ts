import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Caller, Json } from './caller.ts';
import { type Teller, yen } from './teller.ts';

const run = promisify(execFile);

/** Has hledger, where it is installed, add the journal book up, and compares every account with the trial balance. */
export async function agreed(api: Caller, tell: Teller, year_id: string): Promise<void> {
  tell.chapter('An independent program', 'The journal book as an hledger journal, added up by hledger.');
  const query = `fiscal_year_id=${year_id}&closing_entries=include`;
  const file = await api.download(
    `/accounting/reports/journal-book?${query}&format=hledger`,
    'books.journal',
  );
  const { report } = await api.get(`/accounting/reports/trial-balance?${query}`, (answer) => {
    return `${answer['report'].rows.length} accounts`;
  });
  const balances = await hledgerBalances(file);
  if (balances === null)
    return tell.say('hledger is not installed: apt install hledger, and run this again.');
  const unlike = report.rows.filter(({ code, closing }: Json) => (balances.get(code) ?? 0) !== closing);
  for (const { code, closing } of unlike)
    tell.say(`${code}: ${yen(closing)}, hledger ${yen(balances.get(code) ?? 0)}`);
  if (unlike.length > 0) return;
  tell.say(`hledger has the same balance on each of ${report.rows.length} accounts.`);
}

/** The balance of each account by its code, the last part of its name; null without hledger. */
async function hledgerBalances(file: string): Promise<Map<string, number> | null> {
  const asked = ['-f', file, 'bal', '--flat', '--empty', '--no-total', '-O', 'json'];
  try {
    const { stdout } = await run('hledger', asked, {
      maxBuffer: 64 * 1024 ** 2,
      // It reads UTF-8 in a locale that has it alone.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    const [rows] = JSON.parse(stdout) as [[name: string, ...unknown[], amounts: Json[]][]];
    return new Map(
      rows.map((row) => {
        const amounts = row.at(-1) as Json[];
        const { decimalMantissa = 0, decimalPlaces = 0 } = amounts[0]?.['aquantity'] ?? {};
        return [row[0].split(':').at(-1)!, decimalMantissa / 10 ** decimalPlaces];
      }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
