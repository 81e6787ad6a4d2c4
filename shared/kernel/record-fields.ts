type Sent<Fields, Name extends keyof Fields> = { [N in Name]: Exclude<Fields[N], undefined> };

/** Those members of a record. A loop takes a third of the time of `Object.fromEntries`, and lists pick from each of their rows. */
export function pick<Fields extends object, Name extends keyof Fields & string>(
  record: Fields,
  names: readonly Name[],
): Pick<Fields, Name> {
  const picked: Partial<Pick<Fields, Name>> = {};
  for (const name of names) picked[name] = record[name];
  return picked as Pick<Fields, Name>;
}

/** Members without a value, as those of a record that nothing has happened to. */
export function blank<Name extends string>(names: readonly Name[]): Record<Name, null> {
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}

/** The fields of a new record: what was sent, null for what was not. */
export function sentOrNull<Fields extends object, Name extends keyof Fields & string>(
  sent: Fields,
  names: readonly Name[],
): { [N in Name]: Exclude<Fields[N], undefined> | null } {
  return Object.fromEntries(names.map((name) => [name, sent[name] ?? null])) as {
    [N in Name]: Exclude<Fields[N], undefined> | null;
  };
}

/** The fields of a changed record: what was sent, be it null, and what it had for the others. */
export function sentOrKept<
  Fields extends object,
  Name extends keyof Fields & string,
  Before extends Sent<Fields, Name>,
>(sent: Fields, before: Before, names: readonly Name[]): Pick<Before, Name> {
  const after = names.map((name) => [name, sent[name] === undefined ? before[name] : sent[name]]);
  return Object.fromEntries(after) as Pick<Before, Name>;
}
