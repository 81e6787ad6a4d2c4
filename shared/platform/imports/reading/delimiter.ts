import { DELIMITERS, type Delimiter, type Encoding, type Position, type Row } from './row.ts';
import { rowsOf } from './rows.ts';

/** Bytes that are looked at where they hold rows enough, so that the judgement is quick. */
const SAMPLE_BYTES = 65_536;
const ENOUGH_ROWS = 25;
const SAMPLE_ROWS = 100;

/**
 * What stands between the cells: that by which most rows get the same number of cells, the more the better. A comma
 * where nothing divides the rows, so that each is one cell.
 */
export function delimiterOf(sample: Omit<Sample, 'delimiter'>): Delimiter {
  let best: Delimiter = 'comma';
  let most = 0;
  for (const delimiter of Object.keys(DELIMITERS) as Delimiter[]) {
    const score = evenness(sampleOf({ ...sample, delimiter }));
    if (score <= most) continue;
    best = delimiter;
    most = score;
  }
  return best;
}

/** The head of a file, all of it when `final`; its rows begin at `start`. */
export type Sample = {
  head: Uint8Array;
  encoding: Encoding;
  delimiter: Delimiter;
  start: Position;
  final: boolean;
};

/** The first rows of a file, from its head. */
export function sampleOf({ head, encoding, delimiter, start, final }: Sample): Row[] {
  const options = { encoding, delimiter, columns: null, start };
  const known = head.subarray(start.byte);
  const isWhole = known.length <= SAMPLE_BYTES;
  const rows = rowsOf(known.subarray(0, SAMPLE_BYTES), options, isWhole && final);
  return (rows.length < ENOUGH_ROWS && !isWhole ? rowsOf(known, options, final) : rows).slice(0, SAMPLE_ROWS);
}

/** How many of the rows have the commonest number of cells, weighed by that number: nothing for a single cell. */
function evenness(rows: Row[]): number {
  const sound = rows.filter(({ fault }) => fault?.code !== 'unclosed_quote');
  const counts = Map.groupBy(sound, ({ cells }) => cells.length);
  const scores = [...counts].map(([cells, alike]) => (alike.length / rows.length) * Math.log2(cells));
  return Math.max(0, ...scores);
}
