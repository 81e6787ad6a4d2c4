import type { Work } from '../../shared/kernel/work.ts';
import type { TestImports } from './imports.ts';
import { until } from './until.ts';

type Imports = Pick<TestImports, 'act' | 'query'>;

/** Waits until so many sessions of the database wait for others. */
export function untilWaiting({ query }: Imports, count: number): Promise<unknown> {
  return until(`${count} wait for others`, async () => {
    const waiting = await query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length >= count;
  });
}

/** Runs `then` while a transaction that has done `first` is open, which commits once so many wait for others. */
export async function meanwhile(
  imports: Imports,
  first: (work: Work) => Promise<unknown>,
  then: () => Promise<void>,
  waiting = 1,
): Promise<void> {
  const held = Promise.withResolvers<void>();
  const waits = Promise.withResolvers<void>();
  const holding = imports.act(async (work) => {
    await first(work);
    await work.flush();
    held.resolve();
    await waits.promise;
  });
  await held.promise;
  const running = then();
  await untilWaiting(imports, waiting);
  waits.resolve();
  await Promise.all([holding, running]);
}
