import { isSameJson } from './same-json.ts';
import type { DomainOrPlatform } from './scope.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A resource as the API shows it. */
export type Resource = { id: string };

/** The type of an event that an owner declares in its words. */
export type EventType = {
  [Owner in keyof Vocabulary]: Vocabulary[Owner]['events'][number];
}[keyof Vocabulary];

/** Something that can happen to a kind of record. It becomes an audit entry, and an event where it has a type. */
export type Fact = {
  domain: DomainOrPlatform;
  entity_type: string;
  action: 'create' | 'update' | 'delete';
  /** The event's type, or null for what stands in the audit log alone. */
  event: EventType | null;
  /** Members that are computed or belong to other records: events leave them out, and their change is none. */
  computed: ReadonlySet<string>;
  /** Members that events carry and that are not told as changed: what follows from others, or is told by another fact. */
  untold?: ReadonlySet<string>;
  /** Fields whose change is recorded without their values: the data of a person who may ask to be forgotten. */
  masked?: ReadonlySet<string>;
  /** Told even when no field changed, because what happened stands beside the record: a merge. */
  always?: boolean;
  /** The member that holds most of a new record: its text is sent once for event and audit entry. */
  largest?: string;
  /** The type of a second event about the same change, where the record also plays another part: a customer. */
  also?: Also;
};

type Also = (before: Resource | null, after: Resource | null) => EventType | null;

type Family = {
  domain: DomainOrPlatform;
  entity_type: string;
  computed?: readonly string[];
  /** Members that follow from others of the record alone. */
  untold?: readonly string[];
  masked?: readonly string[];
  events?: { created?: EventType; updated?: EventType; deleted?: EventType };
  largest?: string;
  also?: Also;
};

/** The three facts that nearly every kind of record has. */
export function factsOf(family: Family): { created: Fact; updated: Fact; deleted: Fact } {
  const { domain, entity_type, events = {}, also, largest } = family;
  const computed = new Set(family.computed);
  const untold = new Set(['updated_at', ...(family.untold ?? [])]);
  const base = {
    domain,
    entity_type,
    computed,
    untold,
    masked: new Set(family.masked),
    ...(also && { also }),
  };
  return {
    created: { ...base, action: 'create', event: events.created ?? null, ...(largest && { largest }) },
    updated: { ...base, action: 'update', event: events.updated ?? null },
    deleted: { ...base, action: 'delete', event: events.deleted ?? null },
  };
}

/** What a change did, field by field: `{ field: [before, after] }`, masked ones as `***`. */
export function changesBetween(
  fact: Fact,
  before: Resource | null,
  after: Resource | null,
): Record<string, [unknown, unknown]> {
  const old: Record<string, unknown> = { ...before };
  const fresh: Record<string, unknown> = { ...after };
  const changes: Record<string, [unknown, unknown]> = {};
  for (const field of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    if (field === 'object' || fact.computed.has(field) || fact.untold?.has(field)) continue;
    const was = old[field] ?? null;
    const is = fresh[field] ?? null;
    if (!isSameJson(was, is)) changes[field] = fact.masked?.has(field) ? [mask(was), mask(is)] : [was, is];
  }
  return changes;
}

/** A record as events carry it: without its computed members. */
export function carried(fact: Fact, shown: Resource): Resource {
  if (fact.computed.size === 0) return shown;
  return Object.fromEntries(Object.entries(shown).filter(([field]) => !fact.computed.has(field))) as Resource;
}

function mask(value: unknown): string | null {
  return value === null ? null : '***';
}

/** For the event of an update: the earlier values of what changed. */
export function previousAttributes(changes: Record<string, [unknown, unknown]>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).map(([field, [was]]) => [field, was]));
}
