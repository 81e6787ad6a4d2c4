import type { z } from 'zod';
import type { Connection } from './connection.ts';
import { changesBetween, type Fact, previousAttributes, type Resource } from './fact.ts';
import { Failure } from './failure.ts';
import { newId } from './id.ts';
import type { Job } from './job.ts';
import type { Actor, Reader } from './reader.ts';

/** A table as the work needs to know it: its name and the columns that hold JSON. */
export type Table = { readonly tableName: string; readonly jsonAttributes?: readonly string[] };

type Row = Record<string, unknown>;

/**
 * The transaction that a write runs in: a reader that also collects rows, facts and jobs. What it collects is sent
 * at the end in one go and commits together or not at all. Read first (the row before, locked; references), then
 * say what changes: a statement that must be seen by a later read needs `await work.flush()` between.
 */
export class Work implements Reader {
  readonly connection: Connection;
  readonly organization_id: string;
  readonly actor: Actor;
  readonly now: Date;
  readonly request_id: string | null;
  readonly ip_address: string | null;
  readonly #revisions: readonly string[] | null;
  readonly #events: Row[] = [];
  readonly #audit: Row[] = [];
  readonly #outbox: Row[] = [];
  readonly #others: Work[] = [];
  #sent: Promise<unknown>[] = [];
  #settled = false;

  constructor(reader: Reader, revisions: readonly string[] | null = null) {
    this.connection = reader.connection;
    this.organization_id = reader.organization_id;
    this.actor = reader.actor;
    this.now = reader.now;
    this.request_id = reader.request_id;
    this.ip_address = reader.ip_address;
    this.#revisions = revisions;
  }

  /**
   * The same transaction on behalf of another organization: one that is just being made, or that a person changes to.
   * It is finished with this one.
   */
  inOrganization(organization_id: string): Work {
    const other = new Work({ ...(this as Reader), organization_id }, this.#revisions);
    this.#others.push(other);
    return other;
  }

  /** Adds a row of this organization. */
  insert(table: Table, row: Row): void {
    this.insertAll(table, [row]);
  }

  /** Adds rows of one shape in one statement. */
  insertAll(table: Table, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const owned = rows.map((row) => ({ organization_id: this.organization_id, ...row }));
    this.#send(...insertStatement(table, owned));
  }

  /** Changes columns of one row of this organization. */
  update(table: Table, id: string, changes: Row): void {
    const columns = Object.keys(changes);
    if (columns.length === 0) return;
    const assignments = columns.map((column, index) => `"${column}" = $${index + 3}`).join(', ');
    const values = columns.map((column) => stored(table, column, changes[column]));
    this.#send(`UPDATE "${table.tableName}" SET ${assignments} WHERE organization_id = $1 AND id = $2`, [
      this.organization_id,
      id,
      ...values,
    ]);
  }

  /** Removes one row of this organization. */
  remove(table: Table, id: string): void {
    this.#send(`DELETE FROM "${table.tableName}" WHERE organization_id = $1 AND id = $2`, [
      this.organization_id,
      id,
    ]);
  }

  /** Sends any other statement with the rest; `$1` is the organization by custom, but the text decides. */
  run(text: string, values: readonly unknown[]): void {
    this.#send(text, values);
  }

  /**
   * Says what happened, with the resource as the API shows it before and after. An update that changed nothing
   * leaves no trace.
   */
  record(fact: Fact, { before, after }: { before: Resource | null; after: Resource | null }): void {
    this.#settled = true;
    const shown = after ?? before;
    if (!shown) throw new Error(`${fact.entity_type}.${fact.action} was recorded without its record`);
    const changes = changesBetween(fact, before, after);
    if (fact.action === 'update' && Object.keys(changes).length === 0) return;
    this.#audit.push({
      id: newId('aud', this.now),
      domain: fact.domain,
      entity_type: fact.entity_type,
      entity_id: shown.id,
      action: fact.action,
      changes,
    });
    if (fact.event) {
      const previous = fact.action === 'update' ? previousAttributes(changes) : null;
      this.#events.push({
        id: newId('evt', this.now),
        type: fact.event,
        data: shown,
        previous_attributes: previous,
      });
    }
  }

  /** Whether a change leaves the record as it is; then nothing is to be written, and the work needs no fact. */
  isSame(fact: Fact, before: Resource, after: Resource): boolean {
    const same = Object.keys(changesBetween(fact, before, after)).length === 0;
    if (same) this.nothingChanged();
    return same;
  }

  /** Declares that the request rightly changed nothing; without a fact or this, a write is a programming error. */
  nothingChanged(): void {
    this.#settled = true;
  }

  /** Asks for a job; it is handed to the queue after the commit. Answers the delivery's ID. */
  enqueue<Payload extends z.ZodType>(job: Job<Payload>, payload: z.input<Payload>): string {
    const id = newId('dlv', this.now);
    this.#outbox.push({ id, queue: job.queue, name: job.name, payload: job.payload.parse(payload) });
    return id;
  }

  /**
   * Compares the record that the request is about, locked, with the revision that the caller last saw (If-Match).
   * Errors: `precondition_failed`.
   */
  precondition(record: { updated_at: string }): void {
    if (this.#revisions && !this.#revisions.includes(revisionOf(record))) {
      throw new Failure('precondition_failed');
    }
  }

  /** The time for `updated_at` of a changed record: now, but always later than the time it carried before. */
  touch(record: { updated_at: string }): string {
    const earliest = Date.parse(record.updated_at) + 1;
    return new Date(Math.max(this.now.getTime(), earliest)).toISOString();
  }

  /** Waits for the rows sent so far, so that the next read sees them. */
  async flush(): Promise<void> {
    const sent = this.#sent;
    this.#sent = [];
    await allOf(sent);
  }

  /** Sends facts and jobs after the rows. To be followed by COMMIT; called by what opened the work, once. */
  async finish(...last: { text: string; values: readonly unknown[] }[]): Promise<void> {
    for (const other of this.#others) await other.finish();
    if (!this.#settled && this.#others.length === 0) {
      throw new Error('A write ended without recording a fact');
    }
    const { organization_id, actor, request_id, ip_address } = this;
    const created_at = this.now.toISOString();
    const context = { organization_id, request_id, created_at };
    const by = { actor_type: actor.type, actor_id: actor.id, ip_address };
    if (this.#events.length) {
      this.#send(
        ...insertStatement(
          EVENTS,
          this.#events.map((row) => ({ ...context, ...row })),
        ),
      );
    }
    if (this.#audit.length) {
      this.#send(
        ...insertStatement(
          AUDIT,
          this.#audit.map((row) => ({ ...context, ...by, ...row })),
        ),
      );
    }
    if (this.#outbox.length) {
      const rows = this.#outbox.map((row) => ({ organization_id, created_at, ...row }));
      this.#send(...insertStatement(OUTBOX, rows));
      this.#send("SELECT pg_notify('outbox', '')", []);
    }
    for (const { text, values } of last) this.#send(text, values);
    await this.flush();
  }

  /** The error that made the transaction fail, where `error` only says that it has failed. */
  async causeOf(error: unknown): Promise<unknown> {
    if ((error as { code?: string }).code !== ABORTED) return error;
    return this.flush().then(
      () => error,
      (cause) => cause,
    );
  }

  #send(text: string, values: readonly unknown[]): void {
    const sent = this.connection.query(text, values);
    sent.catch(() => undefined);
    this.#sent.push(sent);
  }
}

/** "Current transaction is aborted": the answer to every statement after a failed one. */
const ABORTED = '25P02';

/** The part of an ETag that changes when the record does: the millisecond of its last change. */
export function revisionOf(record: { updated_at: string }): string {
  return Date.parse(record.updated_at).toString(36);
}

const EVENTS: Table = { tableName: 'events', jsonAttributes: ['data', 'previous_attributes'] };
const AUDIT: Table = { tableName: 'audit_logs', jsonAttributes: ['changes'] };
const OUTBOX: Table = { tableName: 'outbox', jsonAttributes: ['payload'] };

/** From here on rows travel as one JSON value: a statement takes 65,535 values, and each text is planned once. */
const MANY_ROWS = 8;

function insertStatement(table: Table, rows: readonly Row[]): [string, unknown[]] {
  const columns = Object.keys(rows[0]!);
  if (rows.length >= MANY_ROWS) return insertSet(table, columns, rows);
  const values: unknown[] = [];
  const tuples = rows.map((row) => {
    const places = columns.map((column) => `$${values.push(stored(table, column, row[column]))}`);
    return `(${places.join(', ')})`;
  });
  const names = columns.map((column) => `"${column}"`).join(', ');
  return [`INSERT INTO "${table.tableName}" (${names}) VALUES ${tuples.join(', ')}`, values];
}

function insertSet(table: Table, columns: string[], rows: readonly Row[]): [string, unknown[]] {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const source = `jsonb_populate_recordset(null::"${table.tableName}", $1::jsonb)`;
  return [
    `INSERT INTO "${table.tableName}" (${names}) SELECT ${names} FROM ${source}`,
    [JSON.stringify(rows)],
  ];
}

function stored(table: Table, column: string, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return table.jsonAttributes?.includes(column) ? JSON.stringify(value) : value;
}

/** The first error decides; the others only say that the transaction is aborted. */
async function allOf(sent: Promise<unknown>[]): Promise<void> {
  for (const one of sent) await one;
}
