/** A row that holds from a day on, as a number of days. */
export type FromDay = { from: number };

/** The last of some rows, in order of their days, that holds on a day; null where none does yet. */
export function rowOn<Row extends FromDay>(rows: readonly Row[], day: number): Row | null {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    if (rows[index]!.from <= day) return rows[index]!;
  }
  return null;
}
