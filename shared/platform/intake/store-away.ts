import { systemReason } from '../../kernel/startup-error.ts';
import type { Storage } from '../storage/storage.ts';

/** Files in a row that cannot be read, after which the store itself is looked at. */
export const MOST_IN_A_ROW = 20;

/** No file can be read, since the store as a whole does not serve. */
export class StoreAway extends Error {
  override name = 'StoreAway';
}

/** Tells a store that is away from files that cannot be read one by one, for whoever reads all of them. */
export function readings(storage: Pick<Storage, 'check'>) {
  let in_a_row = 0;
  return {
    /** The store gave a file, or said that it has none. */
    answered(): void {
      in_a_row = 0;
    },
    /** A file could not be read. Throws StoreAway where the store cannot be used either. */
    async refused(): Promise<void> {
      in_a_row += 1;
      if (in_a_row % MOST_IN_A_ROW > 0) return;
      await storage.check().catch((cause) => {
        const words = `${in_a_row} files in a row could not be read, and the store of files cannot be used`;
        throw new StoreAway(`${words}: ${systemReason(cause)}`, { cause });
      });
    },
  };
}

export type Readings = ReturnType<typeof readings>;
