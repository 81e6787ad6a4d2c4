import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { writeImportFile } from '../../support/import-files.ts';
import { importStored } from '../../support/stored-imports.ts';
import {
  type Case,
  casesOf,
  importWorkers,
  median,
  psqlUsed,
  refuseOthers,
  settleTables,
  type Used,
  usedBy,
} from './measuring.ts';
import { PLAIN, type Plain, SAME } from './plain-contacts.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const ROWS = Number(process.env.BENCH_KNOWN_ROWS ?? 100_000);

type Round = { ours: Used; plain: Used; same: Used };

/**
 * Rows a second of lists of mail contacts that the organization has already, in whole or in part, beside the plain tools with
 * the same files in turns. The last columns are microseconds of processor time a row.
 */
export async function knownTable(folder: string): Promise<string> {
  if (ROWS === 0) return '';
  const cases = casesOf(ROWS);
  for (const { name, from, generation } of cases) {
    const form = { encoding: 'utf-8', delimiter: ',', is_japanese: false } as const;
    const after_names = generation === 0 ? '' : `-${generation}`;
    await writeImportFile(join(folder, `${name}.csv`), ROWS, { ...form, from, after_names });
  }
  const rounds: Round[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measured(folder, cases));
  const lines = [
    '| mail contacts | rows | ours/s | plain/s | ours/plain | same table/s | ours/same table | worker | database | plain: database | same table: database |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  return [
    ...lines,
    ...cases.map(({ name }, index) =>
      lineOf(
        name,
        rounds.map((one) => one[index]!),
      ),
    ),
  ].join('\n');
}

function lineOf(name: string, rounds: readonly Round[]): string {
  const rate = (kind: keyof Round) => Math.round(median(rounds.map((each) => ROWS / each[kind].seconds)));
  const ratio = (kind: keyof Round) =>
    median(rounds.map((each) => each[kind].seconds / each.ours.seconds)).toFixed(2);
  const used = (kind: keyof Round, part: 'worker' | 'database') =>
    median(rounds.map((each) => (each[kind][part] * 1000) / ROWS)).toFixed(1);
  const rates = `${rate('ours')} | ${rate('plain')} | ${ratio('plain')} | ${rate('same')} | ${ratio('same')}`;
  const times = `${used('ours', 'worker')} | ${used('ours', 'database')} | ${used('plain', 'database')} | ${used('same', 'database')}`;
  return `| ${name} | ${ROWS} | ${rates} | ${times} |`;
}

async function measured(folder: string, cases: readonly Case[]): Promise<Round[]> {
  const test_database = await freshDatabase();
  const { database } = test_database;
  const workers = await importWorkers(test_database, folder);
  try {
    const actor = await newActor(database);
    const rounds: Round[] = [];
    for (const [index, one] of cases.entries()) {
      const path = join(folder, `${one.name}.csv`);
      const by = ({ staging, before, upsert, after }: Plain) =>
        psqlUsed(test_database, {
          before: index === 0 ? before : [],
          copy: `\\copy ${staging} FROM '${path}' CSV HEADER`,
          upsert,
          after: index === cases.length - 1 ? after : `TRUNCATE ${staging}`,
        });
      const plain = await by(PLAIN);
      const same = await by(SAME);
      const ours = await usedBy(test_database, workers, async () => {
        const file = { body: createReadStream(path), file_name: 'list.csv' };
        const { row, seconds } = await importStored({ database, folder, actor, file });
        refuseOthers(one, row);
        return seconds;
      });
      rounds.push({ ours, plain, same });
      await settleTables(test_database);
    }
    return rounds;
  } finally {
    await workers.stop();
    await test_database.drop();
  }
}
