/**
 * Members in the order in which PostgreSQL keeps those of `jsonb`: by the length of their names in bytes, then byte by
 * byte. For members whose names callers choose (custom fields, attributes): the answer that tells of a write then has
 * the bytes of those that tell of a later read, and so its ETag. Members that a schema names need none of this, since
 * an answer has them in the order of its schema.
 */
export function inStoredOrder<Value>(members: Readonly<Record<string, Value>>): Record<string, Value> {
  const named = Object.keys(members).map((name) => ({ name, bytes: Buffer.from(name) }));
  named.sort(
    ({ bytes: left }, { bytes: right }) => left.length - right.length || Buffer.compare(left, right),
  );
  return Object.fromEntries(named.map(({ name }) => [name, members[name] as Value]));
}
