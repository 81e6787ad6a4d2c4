import { RARE, seedTree } from '../../support/many-files.ts';
import { filled } from '../../support/plans.ts';
import { quantile } from '../imports/measuring.ts';
import { call, told } from './calls.ts';
import { openOffice } from './office.ts';

const NAMES = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const TIMES = Number(process.env['BENCH_TIMES'] ?? 200);

/** The promise of a search without a total, or below so many hits; and of all others, in milliseconds. */
const AIM = { hits: 10_000, fast: 100, slow: 500 };

/** Searches over a million names, one at a time. */
export async function search(): Promise<string> {
  const office = await openOffice();
  const { database, actor, environment } = office;
  try {
    const root = await filled(environment['DATABASE_URL']!, () =>
      seedTree(database, actor, { name: 'All', folders: 1_000, files: NAMES }),
    );
    const lines = [`| ${NAMES} names | hits | p50 ms | p95 ms | aim, p95 |`, '|---|---|---|---|---|'];
    for (const [name, term] of Object.entries(terms)) {
      const path = `/files?limit=50&search=${encodeURIComponent(term)}`;
      const { body } = await call(office, 'GET', path);
      const { total } = body as { total: number };
      const cases = {
        [name]: `${path}&skip_total=true`,
        [`${name}, with total`]: path,
        [`${name}, by name`]: `${path}&skip_total=true&sort=name:asc`,
        [`${name}, below a folder`]: `${path}&skip_total=true&folder_id=${root}&recursive=true`,
      };
      for (const [what, asked] of Object.entries(cases)) {
        const took: number[] = [];
        for (let time = -10; time < TIMES; time += 1) {
          const ended = await call(office, 'GET', asked);
          if (time >= 0) took.push(ended.took);
          // What takes seconds is known after a few.
          if (quantile(took.length > 0 ? took : [0], 0.5) > 2 * AIM.slow && took.length >= 10) break;
        }
        const aim = asked !== path || total < AIM.hits ? AIM.fast : AIM.slow;
        lines.push(`| ${what} | ${total} | ${told(took)} | ${aim} |`);
      }
    }
    return lines.join('\n');
  } finally {
    await office.end();
  }
}

const terms = {
  'two letters in every tenth name': '見積',
  'three letters in every tenth name': '見積書',
  'two letters in every hundredth name': RARE.rather,
  'a letter in few names': RARE.very,
  'a number': '0012345',
  'a word of Latin letters': 'report_tokyo',
};
