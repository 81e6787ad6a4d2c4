import { type Cut, cutRecord } from './records.ts';
import { DELIMITERS, type Delimiter, type Encoding, type Position } from './row.ts';
import { blockOf, unitWidth } from './text.ts';

export type SeparatorLine = {
  /** What the line names; null where there is no such line. */
  delimiter: Delimiter | null;
  /** Where the rows begin: behind the line. */
  start: Position;
};

/** More bytes than such a line has in any encoding. */
const LONGEST = 64;

/** Reads the line `sep=;` by which Excel is told, in the first line of a file, what stands between the cells. */
export function separatorLine(head: Uint8Array, encoding: Encoding): SeparatorLine {
  const { units, text } = blockOf(encoding, head.subarray(0, LONGEST));
  const cut: Cut = { start: 0, end: 0, next: 0, shape: 'plain' };
  const stretch = { units, from: 0, to: units.length, final: head.length <= LONGEST };
  const line = cutRecord(stretch, NO_SEPARATOR, cut) ? text(cut.start, cut.end) : '';
  const [, separator] = /^"?sep=([,;\t])"?$/i.exec(line) ?? [];
  const delimiter = delimiters.find((name) => DELIMITERS[name] === separator) ?? null;
  const start = { byte: Math.min(cut.next * unitWidth(encoding), head.length), row: 2 };
  return delimiter === null ? { delimiter, start: { byte: 0, row: 1 } } : { delimiter, start };
}

const delimiters = Object.keys(DELIMITERS) as Delimiter[];

/** A unit that no line has: all of it is one cell. */
const NO_SEPARATOR = 0;
