import type { Database } from '../../shared/db/database.ts';
import type { startApi } from '../support/api.ts';
import { somebodyWaits, whileHeld } from '../support/held.ts';
import { until } from '../support/until.ts';

type Api = Awaited<ReturnType<typeof startApi>>;

export type Killings = {
  api: Api;
  /** Starts it again at the same address. */
  start: () => Promise<Api>;
  /** How many requests have got what they ask for. */
  answered: () => number;
  database: Database;
  /** What every request writes to. */
  table: string;
};

/** Kills the API four times among requests that are sent again until they are answered; answers the one that lives. */
export async function killAmongRequests({ api, start, answered, database, table }: Killings): Promise<Api> {
  let living = api;
  for (const some of [25, 75]) {
    await until(`${some} are answered`, () => answered() >= some);
    await living.kill();
    living = await start();
  }
  await until('125 are answered', () => answered() >= 125);
  await living.kill();
  // However the others fell: this one is killed while requests are under way.
  await whileHeld(database, table, async () => {
    const held = await start();
    await somebodyWaits(database);
    await held.kill();
  });
  return start();
}
