import {
  carried,
  changesBetween,
  type EventType,
  type Fact,
  previousAttributes,
  type Resource,
} from './fact.ts';
import { newId } from './id.ts';
import type { Reader } from './reader.ts';
import { factStatements } from './record-statements.ts';
import { SharedText, Spliced } from './shared-json-text.ts';
import type { Row, Statement } from './statement.ts';

/** Collects the events and audit entries of one transaction. */
export class FactRecorder {
  readonly #reader: Reader;
  readonly #events: Row[] = [];
  readonly #audit: Row[] = [];
  readonly #texts = new Map<object, SharedText>();
  /** How many facts were recorded, those included whose statements were taken. */
  recorded = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** See `Work.record`. */
  record(fact: Fact, { before, after }: { before: Resource | null; after: Resource | null }): void {
    const shown = after ?? before;
    if (!shown) throw new Error(`${fact.entity_type}.${fact.action} was recorded without its record`);
    const changes = changesBetween(fact, before, after);
    if (fact.action === 'update' && !fact.always && Object.keys(changes).length === 0) return;
    this.recorded += 1;
    const data = carried(fact, shown);
    const large = fact.largest === undefined ? undefined : this.#largeOf(data, fact.largest, changes);
    this.#audit.push({
      id: newId('aud', this.#reader.now),
      domain: fact.domain,
      entity_type: fact.entity_type,
      entity_id: shown.id,
      action: fact.action,
      changes: large?.changes ?? changes,
    });
    const previous = fact.action === 'update' ? previousAttributes(changes) : null;
    for (const type of [fact.event, fact.also?.(before, after)]) {
      if (type) this.#addEvent(type, large?.shown ?? data, previous, timeOf(fact, shown, this.#reader.now));
    }
  }

  /** See `Work.announce`. */
  announce(type: EventType, data: object, previous_attributes: object | null): void {
    this.#addEvent(type, data, previous_attributes, this.#reader.now);
  }

  #addEvent(type: EventType, data: object, previous_attributes: object | null, at: Date): void {
    this.#events.push({ id: newId('evt', at), type, data, previous_attributes });
  }

  /** The JSON text of a value, the same one for all who ask for it. */
  textOf(value: object): SharedText {
    const text = this.#texts.get(value) ?? new SharedText(value);
    this.#texts.set(value, text);
    return text;
  }

  /** The statements of what was recorded since the last call. */
  takeStatements(): Statement[] {
    return factStatements(this.#reader, this.#events.splice(0), this.#audit.splice(0));
  }

  /** A new record and its changes, with one text of their largest member. */
  #largeOf(shown: Resource, member: string, changes: Record<string, [unknown, unknown]>) {
    const value = (shown as Record<string, unknown>)[member] as object;
    const text = this.textOf(value);
    return {
      shown: new Spliced(shown, text, (mark) => ({ ...shown, [member]: mark })),
      changes: new Spliced(changes, text, (mark) => ({ ...changes, [member]: [null, mark] })),
    };
  }
}

/**
 * The time in the ID of an event, by which events that wait for their places are put in order: that of the record's
 * revision, which is later with every change of the record, also where the request of the later change began earlier.
 */
function timeOf({ action }: Fact, shown: Resource, now: Date): Date {
  const { updated_at } = shown as { updated_at?: unknown };
  if (typeof updated_at !== 'string') return now;
  const revised = Date.parse(updated_at) + (action === 'delete' ? 1 : 0);
  return new Date(Math.max(now.getTime(), revised));
}
