import { domains } from '../../shared/domains.ts';
import type { Batch } from '../../shared/platform/batches/batch.ts';

const all: readonly Batch[] = domains.flatMap(({ batches = [] }) => batches);

/** Every kind of record that things are done to in batches, by its name. */
export const batches: ReadonlyMap<string, Batch> = new Map(all.map((each) => [each.name, each]));
