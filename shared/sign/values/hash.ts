import { canonicalJson, hashOf } from '../../platform/evidence/canonical.ts';

/** A field with its value, null where it has none. */
export type Valued = { id: string; value: unknown };

/**
 * The hash of what was shown or entered: hexadecimal SHA-256 of the canonical JSON (RFC 8785, UTF-8) of
 * `[{ field_id, value }]`, sorted by `field_id`. A field without a value stands there as null.
 */
export function hashOfValues(fields: readonly Valued[]): string {
  const sorted = fields.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return hashOf(canonicalJson(sorted.map(({ id, value }) => ({ field_id: id, value: value ?? null }))));
}
