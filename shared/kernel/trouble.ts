/** Why the service cannot do what is right in itself: it lies with PostgreSQL or the store of files. */
export const troubleKinds = [
  'disk_full',
  'out_of_memory',
  'too_many_connections',
  'limit_reached',
  'read_only',
  'away',
  'storage',
] as const;

export type TroubleKind = (typeof troubleKinds)[number];

/** A cause and one sentence for operators, which names what refuses and what to do. */
export type Trouble = { kind: TroubleKind; sentence: string };
