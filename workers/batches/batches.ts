import { domains } from '../../shared/domains.ts';
import type { Batch } from '../../shared/platform/batches/batch.ts';
import type { FileSet } from '../../shared/platform/batches/file-set.ts';

/** Every kind of record that things are done to in batches, by its name. */
export const batches: ReadonlyMap<string, Batch> = byName(domains.flatMap(({ batches = [] }) => batches));

/** Every kind of record whose PDFs can be had together, by its name. */
export const file_sets: ReadonlyMap<string, FileSet> = byName(
  domains.flatMap(({ file_sets = [] }) => file_sets),
);

function byName<Named extends { name: string }>(all: readonly Named[]): Map<string, Named> {
  return new Map(all.map((each) => [each.name, each]));
}
