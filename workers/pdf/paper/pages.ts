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
  /** Whether the first row is cut where its page ends: it is taller than the room that is left below the letterhead. */
  first_row_is_cut: boolean;
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

/** Room below the letterhead in which a first row that is cut begins; with less the table has a page of its own. */
const LEAST_PART = 120;

/** What a page may lose where a row is cut: lines are not, and two of them stay together. */
const CUT = 54;

/** The last page has so many rows above its sums, where there are as many. */
const WITH_SUMS = 2;

/**
 * Where pages begin, or null where one is enough. Rows are not cut, but for a first one that would leave the letterhead
 * alone on its page; a row of text stays with the one that follows; the sums stay together and have rows above them. A
 * row that no page could hold has the rest of its last page to itself.
 */
export function pagesOf(measures: Measures, rows: readonly Row[], paper: Paper): Pages | null {
  if (measures.whole <= paper.height - 1) return null;
  const height = paper.height - SPARE;
  const first_row_is_cut = isCut(measures, height);
  const table_on_new_page = !first_row_is_cut && isCrowded(measures, height, paper);
  const first_rows: number[] = [];
  const full = height - measures.head - paper.carried;
  let from = 0;
  let room = roomOfFirst(measures, height, { first_row_is_cut, table_on_new_page });
  while (from < measures.rows.length) {
    const heights = measures.rows.slice(from);
    const count = countOf(heights, { room, below: measures.below, carried: paper.carried });
    if (count === heights.length) break;
    from = beginning(rows, from, from + count);
    first_rows.push(from);
    room = full;
  }
  return { table_on_new_page, first_row_is_cut, first_rows };
}

/** Whether what is above leaves too little for the table to begin on its page. */
function isCrowded({ above, head, rows, below }: Measures, height: number, { carried }: Paper): boolean {
  const first = rows[0] ?? 0;
  return above + head + first + (rows.length > 1 ? carried : below) > height;
}

/** Whether the first row does not fit below the letterhead, where a good part of it does. */
function isCut({ above, head, rows }: Measures, height: number): boolean {
  const rest = height - above - head;
  return (rows[0] ?? 0) > rest && rest >= LEAST_PART;
}

/** The room for the first rows; one that is cut counts as high as it is, beside what is left on the page of its end. */
function roomOfFirst(
  { above, head, rows }: Measures,
  height: number,
  { first_row_is_cut, table_on_new_page }: Omit<Pages, 'first_rows'>,
): number {
  const whole = height - head;
  if (table_on_new_page) return whole;
  if (!first_row_is_cut) return whole - above;
  let part = rows[0]! - (whole - above - CUT);
  while (part > whole) part -= whole - CUT;
  return rows[0]! + whole - part;
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
