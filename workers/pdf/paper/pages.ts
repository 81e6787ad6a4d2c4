/** What was measured of a document on a single endless page, in pixels of CSS. */
export type Measures = {
  /** From the first to the last of it. */
  whole: number;
  /** What stands above the table. */
  above: number;
  /** The table's head. */
  head: number;
  rows: number[];
  /** The sums, which stand together. */
  below: number;
};

/** Where the pages of a document begin. */
export type Pages = {
  /** Whether the table begins a page of its own: what is above fills more than one. */
  table_on_new_page: boolean;
  /** The rows of the table that are the first of a page, but the first page's. */
  first_rows: number[];
};

/** A row as the breaks see it. */
export type Row = { type: 'item' | 'text' };

export type Paper = {
  /** What a page holds. */
  height: number;
  /** The height of the row with a carried sum; 0 where none is shown. */
  carried: number;
};

/** The layout that Chromium prints may differ from the measured one by fractions of a pixel in every part. */
const SPARE = 6;

/** The last page has so many rows above its sums, where there are as many. */
const WITH_SUMS = 2;

/**
 * Where pages begin, or null where one is enough. Rows are not cut; a row of text stays with the one that follows;
 * the sums stay together and have rows above them. A row that no page could hold has the rest of its last page to
 * itself.
 */
export function pagesOf(measures: Measures, rows: readonly Row[], paper: Paper): Pages | null {
  if (measures.whole <= paper.height - 1) return null;
  const height = paper.height - SPARE;
  const table_on_new_page = isCrowded(measures, height, paper);
  const first_rows: number[] = [];
  const full = height - measures.head - paper.carried;
  let from = 0;
  let room = table_on_new_page ? height - measures.head : height - measures.above - measures.head;
  while (from < measures.rows.length) {
    const heights = measures.rows.slice(from);
    const count = countOf(heights, { room, below: measures.below, carried: paper.carried });
    if (count === heights.length) break;
    from = beginning(rows, from, from + count);
    first_rows.push(from);
    room = full;
  }
  return { table_on_new_page, first_rows };
}

/** Whether what is above leaves too little for the table to begin on its page. */
function isCrowded({ above, head, rows, below }: Measures, height: number, { carried }: Paper): boolean {
  const first = rows[0] ?? 0;
  return above + head + first + (rows.length > 1 ? carried : below) > height;
}

type Room = { room: number; below: number; carried: number };

/** How many of the rows that are left stand on this page: all, where the sums have room below them. */
function countOf(heights: readonly number[], { room, below, carried }: Room): number {
  const total = heights.reduce((sum, height) => sum + height, 0);
  if (total + below <= room) return heights.length;
  let used = carried;
  let count = 0;
  while (count < heights.length && used + heights[count]! <= room) {
    used += heights[count]!;
    count += 1;
  }
  const most = Math.max(1, heights.length - WITH_SUMS);
  return Math.max(1, Math.min(count, most));
}

/** The row that begins the next page: a row of text at the end of a page goes with what it heads. */
function beginning(rows: readonly Row[], from: number, next: number): number {
  let first = next;
  while (first - 1 > from && rows[first - 1]?.type === 'text') first -= 1;
  return first - 1 === from && rows[from]?.type === 'text' ? next : first;
}
