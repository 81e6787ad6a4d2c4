import type { AccountMap, MapOf } from '../settings/account-map.ts';

type Group = 'sales' | 'collected' | 'paid';

/** A place of the account map, as its path: `receivable`, `sales/standard`. */
export type Place =
  | Exclude<keyof AccountMap, Group>
  | { [Name in Group]: `${Name}/${keyof AccountMap[Name] & string}` }[Group];

/** What a map has at a place; null where no account is chosen. */
export function accountAt(map: MapOf<string | null>, place: Place): string | null {
  const [name, part] = place.split('/') as [keyof AccountMap, string | undefined];
  const found = map[name];
  if (found === null || typeof found === 'string') return found;
  return (found as Readonly<Record<string, string | null>>)[part!] ?? null;
}
