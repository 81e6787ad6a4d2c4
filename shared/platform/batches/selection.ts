import { z } from 'zod';
import { pageOf } from '../../db/list.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Prefix } from '../../kernel/id.ts';
import { says } from '../../kernel/language.ts';
import type { Reader } from '../../kernel/reader.ts';
import { id } from '../../kernel/schema.ts';
import type { Window } from '../../kernel/window.ts';
import type { Exporter } from '../exports/exporter.ts';

/** Records that one call may be about. */
export const MOST_RECORDS = 1_000;

/** IDs of records, each once. */
export function recordIds(prefix: Prefix) {
  return z
    .array(id(prefix))
    .min(1)
    .max(MOST_RECORDS)
    .refine((ids) => new Set(ids).size === ids.length, {
      params: { code: 'duplicate' },
      error: says({ en: 'must name each record once', ja: 'は同じレコードを1回だけ指定してください' }),
    })
    .describe('The records, in the order in which they are taken.');
}

/** The bounds of time that every list takes. */
export type TimeBounds = Pick<
  Window,
  'created_after' | 'created_before' | 'updated_after' | 'updated_before'
>;

/**
 * The IDs of all records that a list's filters leave, the oldest first. Errors: `too_many` where they are more than
 * 1,000: a part of them is not what was asked for.
 */
export async function idsThatMatch(
  reader: Reader,
  list: Exporter['list'],
  filters: Record<string, unknown>,
  bounds: TimeBounds,
): Promise<string[]> {
  const asked = await list(reader, filters, {
    ...bounds,
    form: 'offset',
    limit: MOST_RECORDS,
    offset: 0,
    starting_after: null,
    sort: [{ field: 'created_at', direction: 'asc' }],
    count: true,
  });
  const { rows, total } = await pageOf<{ id: string }>(reader, { ...asked, columns: ['id'] });
  if (total > MOST_RECORDS) {
    throw new Failure('too_many', {
      detail: {
        en: `The filter matches ${total} records; one call takes ${MOST_RECORDS} at most`,
        ja: `条件に合うのは${total}件です。一度に処理できるのは${MOST_RECORDS}件までです`,
      },
      members: { matching: total, most: MOST_RECORDS },
    });
  }
  return rows.map((row) => row.id);
}
