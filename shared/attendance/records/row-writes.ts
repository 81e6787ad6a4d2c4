import type { Row, Table, Work } from '../../kernel/work.ts';

/** Where rows are written to: a work, or what collects for one. */
export type RowWrites = Pick<Work, 'now' | 'touch' | 'insert' | 'insertAll' | 'update' | 'updateAll'>;

type Collected = { added: Map<unknown, Row>; changed: Map<unknown, Row> };

/**
 * Rows of many steps in one work: of each row only what it is in the end is written, so the statements are as many as the
 * tables. The rows that are added to a table are of one shape, and so are those that are changed in it.
 */
export class CollectedRows implements RowWrites {
  readonly now: Date;
  readonly touch: Work['touch'];
  readonly #tables = new Map<Table, Collected>();

  constructor(work: Work) {
    this.now = work.now;
    this.touch = (record) => work.touch(record);
  }

  insert(table: Table, row: Row): void {
    this.insertAll(table, [row]);
  }

  insertAll(table: Table, rows: readonly Row[]): void {
    const { added } = this.#of(table);
    for (const row of rows) added.set(row['id'], row);
  }

  update(table: Table, id: string, changes: Row): void {
    this.updateAll(table, [{ ...changes, id }]);
  }

  updateAll(table: Table, rows: readonly Row[]): void {
    const { added, changed } = this.#of(table);
    for (const row of rows) {
      const { id } = row;
      const own = added.has(id) ? added : changed;
      own.set(id, { ...own.get(id), ...row });
    }
  }

  /** Hands the rows to the work. */
  write(work: Work): void {
    for (const [table, { added, changed }] of this.#tables) {
      work.updateAll(table, [...changed.values()]);
      work.insertAll(table, [...added.values()]);
    }
  }

  #of(table: Table): Collected {
    const known = this.#tables.get(table) ?? { added: new Map(), changed: new Map() };
    this.#tables.set(table, known);
    return known;
  }
}
