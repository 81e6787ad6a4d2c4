import { seedTree } from '../../support/many-files.ts';
import { filled } from '../../support/plans.ts';
import { lists } from './lists.ts';
import { openOffice } from './office.ts';
import { trips } from './trips.ts';

const FILES = Number(process.env['BENCH_ROWS'] ?? 100_000);

/** Lists and moves of folders over 100,000 files, beside small and empty ones. */
export async function tree(): Promise<string> {
  const office = await openOffice();
  const { database, actor, environment } = office;
  try {
    const seed = (name: string, folders: number, files: number) =>
      seedTree(database, actor, { name, folders, files });
    const { empty, few, hundred, thousands, flat } = await filled(environment['DATABASE_URL']!, async () => ({
      empty: await seed('Empty', 0, 0),
      few: await seed('Few', 0, 100),
      hundred: await seed('Hundred', 100, FILES),
      thousands: await seed('Thousands', FILES / 10, FILES),
      flat: await seed('Flat', 0, FILES),
    }));
    return [
      await lists(office, { id: flat, files: FILES }, { id: few, files: 100 }),
      await trips(office, [
        { id: empty, name: 'an empty folder', aim: '' },
        { id: hundred, name: `${FILES} files in 100 folders`, aim: '1.5' },
        { id: thousands, name: `${FILES} files in ${FILES / 10} folders`, aim: '100 ms' },
      ]),
    ].join('\n\n');
  } finally {
    await office.end();
  }
}
