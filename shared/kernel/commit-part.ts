import { mergeStatements } from './merge-statements.ts';
import { OUTBOX } from './record-statements.ts';
import type { Statement } from './statement.ts';

/** What a work has to send, where it may be written together with that of others of the same key. */
export type CommitPart = {
  key: string;
  rows: readonly Statement[];
  /** What comes after all rows and may refuse (`Work.atCommit`). */
  last: readonly Statement[];
  /** Whether it asks for jobs: who commits it tells those who dispatch. */
  has_jobs: boolean;
  /** To be called once it is stored. */
  stored: () => void;
};

/** What a work sends when it commits, and with whose. */
export class CommitEnd {
  readonly statements: Statement[] = [];
  /** What is done in this process once all is stored. */
  readonly hearers: (() => void)[] = [];
  /** Whether all is rolled back at the end. */
  is_abandoned = false;
  /** The key of those that it may be written with. */
  shared_by: string | null = null;

  /** The part that a work has with these rows; null where one of its statements stands for itself. */
  partOf(rows: readonly Statement[]): CommitPart | null {
    const last = this.statements;
    const has_jobs = rows.some(({ table }) => table === OUTBOX.tableName);
    const joins = [...rows, ...last].every((statement) => statement.joins);
    const stored = () => this.stored();
    return this.shared_by !== null && joins ? { key: this.shared_by, rows, last, has_jobs, stored } : null;
  }

  stored(): void {
    for (const hear of this.hearers.splice(0)) hear();
  }
}

/** The one statement that writes all parts; null where it takes more than one. Each statement of a part joins others. */
export function joinedParts(parts: readonly CommitPart[]): Statement | null {
  const rows = joined(parts.flatMap(({ rows }) => rows));
  const last = joined(parts.flatMap(({ last }) => last));
  const merged = mergeStatements([...rows, ...last]);
  return merged.length === 1 ? merged[0]! : null;
}

function joined(statements: readonly Statement[]): Statement[] {
  const alike = Map.groupBy(statements, ({ joins }) => joins!.key);
  return [...alike.values()].map((group) => {
    const [first] = group;
    const stands = group.length === 1 && first!.table !== null;
    return stands ? first! : first!.joins!.join(group.map(({ joins }) => joins!.brings));
  });
}
