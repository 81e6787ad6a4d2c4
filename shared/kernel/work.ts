import type { z } from 'zod';
import { CommitEnd, type CommitPart } from './commit-part.ts';
import type { Connection } from './connection.ts';
import { changesBetween, type EventType, type Fact, type Resource } from './fact.ts';
import { FactRecorder } from './fact-recorder.ts';
import { newId } from './id.ts';
import { type Job, type Priority, priorities } from './job.ts';
import { mergeStatements } from './merge-statements.ts';
import type { Actor, Reader } from './reader.ts';
import { jobStatements } from './record-statements.ts';
import { RepeatedConstraints } from './repeated-constraints.ts';
import { type Counted, nextRevisionTime, type Revised, requireRevision } from './revision.ts';
import { deleteStatement, insertStatement, updateSetStatement, updateStatement } from './row-statements.ts';
import { sendStatements } from './send-statements.ts';
import type { SharedText } from './shared-json-text.ts';
import type { Row, Statement, Table } from './statement.ts';
import type { WorkOptions } from './work-options.ts';

export type { Row, Statement, Table } from './statement.ts';

/**
 * How many changed records an operation on many reads and records before it calls `flushFacts`: a document may have a
 * thousand lines, and other requests need memory and time too.
 */
export const FACTS_TOGETHER = 200;

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
  end = new CommitEnd();
  readonly #options: WorkOptions;
  readonly #facts: FactRecorder;
  readonly #outbox: Row[] = [];
  readonly #others: Work[] = [];
  #repeated = new RepeatedConstraints();
  readonly #written: { table: string; row: Row }[] = [];
  #waiting: Statement[] = [];
  #settled: boolean;

  constructor(reader: Reader, options: WorkOptions = {}) {
    this.connection = reader.connection;
    this.organization_id = reader.organization_id;
    this.actor = reader.actor;
    this.now = reader.now;
    this.request_id = reader.request_id;
    this.ip_address = reader.ip_address;
    this.#options = options;
    this.#facts = new FactRecorder(reader);
    this.#settled = options.may_change_nothing ?? false;
  }

  /**
   * The same transaction on behalf of another organization: one that is just being made, or that a person changes to.
   * It is finished with this one.
   */
  inOrganization(organization_id: string): Work {
    return this.#with({ organization_id });
  }

  /**
   * The same transaction on behalf of somebody else, as its facts name them, at another time where it has taken long. It
   * is finished with this one.
   */
  onBehalfOf(actor: Actor, request_id: string | null, now: Date = this.now): Work {
    return this.#with({ actor, request_id, now });
  }

  /** The same transaction on behalf of a guest, whose network address no entry keeps. It is finished with this one. */
  onBehalfOfGuest(id: string): Work {
    const actor: Actor = { type: 'guest', id, user_id: null, role: null, grants: [] };
    return this.#with({ actor, ip_address: null });
  }

  #with(other: Partial<Reader>): Work {
    const work = new Work({ ...(this as Reader), ...other }, this.#options);
    // What it sends fails here, where its statements are sent.
    work.#repeated = this.#repeated;
    work.end = this.end;
    this.#others.push(work);
    return work;
  }

  /** Adds a row of this organization. */
  insert(table: Table, row: Row): void {
    this.insertAll(table, [row]);
  }

  /** Adds rows of one shape in one statement. */
  insertAll(table: Table, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const owned = rows.map((row) => ({ organization_id: this.organization_id, ...row }));
    this.#waiting.push(insertStatement(table, owned));
    this.#remember(table, rows);
  }

  /** Changes columns of one row of this organization. */
  update(table: Table, id: string, changes: Row): void {
    if (Object.keys(changes).length === 0) return;
    this.#waiting.push(updateStatement(table, this.organization_id, id, changes));
    this.#remember(table, [{ ...changes, id }]);
  }

  /** Changes the same columns of many rows in one statement; each row brings its `id`. */
  updateAll(table: Table, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.#waiting.push(updateSetStatement(table, this.organization_id, rows));
    this.#remember(table, rows);
  }

  #remember({ tableName }: Table, rows: readonly Row[]): void {
    for (const row of rows) this.#written.push({ table: tableName, row });
  }

  /** The rows that were to be added to a table or changed in it, each with its `id`: of a refused work, what was refused. */
  writtenTo(table: string): Row[] {
    const own = this.#written.flatMap((one) => (one.table === table ? [one.row] : []));
    return [...own, ...this.#others.flatMap((other) => other.writtenTo(table))];
  }

  /** Removes one row of this organization. */
  remove(table: Table, id: string): void {
    this.#waiting.push(deleteStatement(table, this.organization_id, id));
  }

  /**
   * Sends any other statement with the rest, in its place among them. One that writes a single `table`, and is read by
   * none of its neighbours, becomes one with them.
   */
  run(
    text: string,
    values: readonly unknown[],
    options: { planned_anew?: boolean; table?: string } = {},
  ): void {
    this.#waiting.push({ text, values, table: null, ...options });
  }

  /**
   * Sends a statement that may refuse, or locks what others wait for, after all others, with COMMIT, whatever is flushed. With
   * a `table` it becomes one with those before it, and locks before they do.
   */
  atCommit(statement: Statement): void {
    this.end.statements.push(statement);
  }

  /** Lets the work be written together with others of the same key, by who knows how (`inSharedWork`). */
  shareCommit(key: string): void {
    this.end.shared_by = key;
  }

  /** Does something in this process once the work is stored, and nothing where it is not, or runs again. It must not throw. */
  whenStored(hear: () => void): void {
    this.end.hearers.push(hear);
  }

  /**
   * Takes what is left to send, in the place of `finish`, to be written with that of other works; null where the work shares its
   * commit with none, has begun its transaction, or has a statement that stands for itself.
   */
  takePart(): CommitPart | null {
    if (this.end.shared_by === null || this.connection.hasBegun()) return null;
    const rows = this.#everything();
    const part = this.end.partOf(rows);
    if (part) return part;
    this.#waiting = rows;
    this.#others.length = 0;
    // The facts of the others are among these rows.
    this.#settled = true;
    return null;
  }

  /** The JSON text of a value, the same for all who ask for it: as `$n::text` it is sent once in a statement. */
  textOf(value: object): SharedText {
    return this.#facts.textOf(value);
  }

  /** Says what happened, with the resource as the API shows it before and after. A change of nothing leaves no trace. */
  record(fact: Fact, { before, after }: { before: Resource | null; after: Resource | null }): void {
    this.#settled = true;
    this.#facts.record(fact, { before, after });
  }

  /** Emits an event that is not the change of one record, such as a finished conversion. */
  announce(type: EventType, data: object, previous_attributes: object | null = null): void {
    this.#facts.announce(type, data, previous_attributes);
  }

  /** Whether a change leaves the record as it is; then nothing is to be written, and the work needs no fact. */
  isSame(fact: Fact, before: Resource, after: Resource): boolean {
    const same = Object.keys(changesBetween(fact, before, after)).length === 0;
    if (same) this.nothingChanged();
    return same;
  }

  /**
   * Declares that a breach of the constraint is no fault of the caller: the work must run again; `learn` is called before.
   */
  repeatOn(constraint: string, learn: () => void = () => {}): void {
    this.#repeated.add(constraint, learn);
  }

  /** Declares that the request rightly changed nothing; without a fact or this, a write is a programming error. */
  nothingChanged(): void {
    this.#settled = true;
  }

  /** Has the transaction rolled back when the one who opened it has its result. */
  abandon(): void {
    this.end.is_abandoned = true;
  }

  /**
   * Asks for a job; it is handed to the queue after the commit. `job_id` is the resource that a user waits for: it
   * fails when the delivery is given up, and is queued again when an operator retries it. Answers the delivery's ID.
   */
  enqueue<Payload extends z.ZodType>(
    job: Job<Payload>,
    payload: z.input<Payload>,
    {
      job_id = null,
      priority = job.priority ?? 'normal',
    }: { job_id?: string | null; priority?: Priority } = {},
  ): string {
    const id = newId('dlv', this.now);
    const { queue, name } = job;
    const ordered = { job_id, priority: priorities[priority] };
    this.#outbox.push({ id, queue, name, payload: job.payload.parse(payload), ...ordered });
    return id;
  }

  /**
   * Compares the record that the request is about, locked, with the revision that the caller last saw (If-Match).
   * Errors: `precondition_failed`.
   */
  precondition(record: Revised | Counted): void {
    requireRevision(record, this.#options.revisions ?? null);
  }

  /** The revisions of If-Match, for work that goes on in a job; null where any will do. */
  get revisions(): readonly string[] | null {
    return this.#options.revisions ?? null;
  }

  /** How many facts were recorded so far: the progress of an operation on many records. */
  get recorded(): number {
    return this.#facts.recorded;
  }

  /** The time for `updated_at` of a changed record: now, but always later than the time it carried before. */
  touch(record: Revised): string {
    return nextRevisionTime(record, this.now);
  }

  /** Sends the rows collected so far, so that the next read sees them. */
  async flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    await this.#repeated.orAgain(sendStatements(this.connection, mergeStatements(waiting), false));
  }

  /**
   * Sends the rows and facts collected so far. Of many facts the texts are long to make: so the database writes rows
   * that were sent before meanwhile.
   */
  async flushFacts(): Promise<void> {
    this.#waiting.push(...this.#facts.takeStatements());
    await this.flush();
  }

  /**
   * Sends what is left, then facts and jobs, then `last`: all before the first wait, so that the COMMIT that follows
   * travels with them. Called once, by what opened the work. What the work refuses is thrown at once, not as a rejected
   * promise: the COMMIT that would follow must not be sent.
   */
  finish(...last: Statement[]): Promise<void> {
    const statements = mergeStatements([...this.#everything(), ...last, ...this.end.statements]);
    return this.#repeated.orAgain(sendStatements(this.connection, statements, true));
  }

  #everything(): Statement[] {
    const others = this.#others.flatMap((other) => other.#everything());
    if (!this.#settled && this.#others.length === 0) {
      throw new Error('A write ended without recording a fact');
    }
    return [
      ...this.#waiting,
      ...others,
      ...this.#facts.takeStatements(),
      ...jobStatements(this, this.#outbox),
    ];
  }
}
