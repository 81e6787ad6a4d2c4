import { LIMITS } from './row.ts';

/**
 * Records are cut on the raw units of a file, before anything is decoded: bytes, or the code units of UTF-16. Quotes,
 * separators and line ends are below 0x40, and no encoding taken here has such a byte inside a longer character. So
 * every record has an exact place in the file, and a character that cannot be decoded spoils no other record.
 */
export type Units = Uint8Array | Uint16Array;

/**
 * `plain`: no quoted cell. `quoted`: every quoted cell is closed where it ends. `odd`: text follows a closing quote,
 * as in `"a"b`. `unclosed`: cut at the end of its first line, because a quote in it is not closed. `empty`: nothing but
 * separators before the line end, as spreadsheets leave rows that were cleared. `endless`: longer than a record may be; where it ends is not known yet.
 */
export type Shape = 'plain' | 'quoted' | 'odd' | 'unclosed' | 'empty' | 'endless';

/** A record as the index of its first unit, that after its last one, and that after its line end. */
export type Cut = { start: number; end: number; next: number; shape: Shape };

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const END_OF_FILE = 0x1a;

/** Part of a file, `from` the beginning of a record `to` the end of what is known; `final` when nothing follows. */
export type Stretch = { units: Units; from: number; to: number; final: boolean };

/**
 * Cuts one record off, into `cut`; false when more of the file is needed to know its end. What comes out depends on
 * the file alone, never on how much of it is known, so that reading can begin again at any record.
 */
export function cutRecord(stretch: Stretch, separator: number, cut: Cut): boolean {
  const { units, from, to, final } = stretch;
  const limit = LIMITS.record_bytes / units.BYTES_PER_ELEMENT;
  const last = from + limit;
  // One unit after the limit for the line end, and one for the second half of it.
  const seen = Math.min(to, last + 2);
  const known = seen === last + 2 || final;
  const highest = Math.max(separator, CARRIAGE_RETURN);
  if (from >= to) return false;
  cut.start = afterMarks(units, from, seen);
  cut.shape = 'plain';
  let at = cut.start;
  for (;;) {
    if (at < seen && units[at] === QUOTE) {
      const close = closingQuote(units, at + 1, seen);
      if (close === seen) return known && endAtFirstLine(stretch, cut, seen, last);
      if (close + 1 < seen && !endsCell(units[close + 1]!, separator)) {
        // A quote that opens one of the next rows' cells looks like this, seen from inside an unclosed one.
        if (lineEnd(units, at, close) < close) return endAtFirstLine(stretch, cut, seen, last);
        cut.shape = 'odd';
      } else if (cut.shape === 'plain') cut.shape = 'quoted';
      at = close + 1;
    }
    while (at < seen && (units[at]! > highest || !endsCell(units[at]!, separator))) at += 1;
    if (at === seen && !known) return false;
    if (at > last) return endAtFirstLine(stretch, cut, seen, last);
    if (at < seen && units[at] === separator) at += 1;
    else {
      if (!endAt(stretch, cut, at)) return false;
      if (cut.shape === 'plain' && isBlank(units, separator, cut)) cut.shape = 'empty';
      return true;
    }
  }
}

function isBlank(units: Units, separator: number, { start, end }: Cut): boolean {
  let at = start;
  while (at < end && units[at] === separator) at += 1;
  return at === end;
}

/**
 * The index after the line end that a record too long to be held ends with, or -1 when it is not known yet. Quotes
 * mean nothing there.
 */
export function afterLine({ units, from, to, final }: Stretch): number {
  const at = lineEnd(units, from, to);
  if (at === to) return final ? to : -1;
  if (units[at] === LINE_FEED) return at + 1;
  if (at + 1 === to) return final ? to : -1;
  return units[at + 1] === LINE_FEED ? at + 2 : at + 1;
}

function endAt({ units, to, final }: Stretch, cut: Cut, at: number): boolean {
  if (at === to) cut.next = to;
  else if (units[at] === LINE_FEED) cut.next = at + 1;
  else if (at + 1 < to) cut.next = units[at + 1] === LINE_FEED ? at + 2 : at + 1;
  else if (final) cut.next = to;
  else return false;
  cut.end = at;
  // Old programs mark the end of a file with a character of its own.
  const isMark = at === to && at === cut.start + 1 && units[cut.start] === END_OF_FILE;
  if (at === cut.start || isMark) cut.shape = 'empty';
  return true;
}

function endAtFirstLine(stretch: Stretch, cut: Cut, seen: number, last: number): boolean {
  const at = lineEnd(stretch.units, cut.start, seen);
  cut.shape = at > last ? 'endless' : 'unclosed';
  return at > last || endAt(stretch, cut, at);
}

function endsCell(unit: number, separator: number): boolean {
  return unit === separator || unit === LINE_FEED || unit === CARRIAGE_RETURN;
}

function lineEnd(units: Units, from: number, to: number): number {
  let at = from;
  while (
    at < to &&
    (units[at]! > CARRIAGE_RETURN || (units[at] !== LINE_FEED && units[at] !== CARRIAGE_RETURN))
  )
    at += 1;
  return at;
}

/** The closing quote of a cell whose text begins at `from`, or `to` where there is none; two quotes are text. */
function closingQuote(units: Units, from: number, to: number): number {
  let at = from;
  for (;;) {
    while (at < to && units[at] !== QUOTE) at += 1;
    if (at >= to) return to;
    if (at + 1 === to || units[at + 1] !== QUOTE) return at;
    at += 2;
  }
}

/** Files that were put behind one another have byte-order marks in their middle. */
function afterMarks(units: Units, from: number, to: number): number {
  let at = from;
  if (units.BYTES_PER_ELEMENT === 2) while (at < to && units[at] === 0xfeff) at += 1;
  else while (at + 3 <= to && units[at] === 0xef && units[at + 1] === 0xbb && units[at + 2] === 0xbf) at += 3;
  return at;
}
