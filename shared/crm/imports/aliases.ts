import { recordsByAlias } from '../../db/key-aliases.ts';
import type { RecordKind } from '../../kernel/record-kind.ts';
import type { Work } from '../../kernel/work.ts';

/** The records that keys of merged ones lead to. */
export type Aliases = {
  ids: string[];
  /** The ID of the record that a key leads to. */
  find(key: string, value: unknown): string | undefined;
};

/** The records that the keys which rows name lead to, where merged records had them. */
export async function aliasesIn(
  work: Work,
  kind: RecordKind,
  asked: Readonly<Record<string, readonly string[]>>,
): Promise<Aliases> {
  const found = await recordsByAlias(work, kind, asked);
  const byKey = new Map(found.map(({ key, value, record_id }) => [`${key} ${value}`, record_id]));
  return {
    ids: found.map(({ record_id }) => record_id),
    find: (key, value) => byKey.get(`${key} ${String(value)}`),
  };
}
