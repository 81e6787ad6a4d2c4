/** Fields of a report by their names in small letters; of one that stands twice the first counts. */
export type Fields = ReadonlyMap<string, string>;

/** Blocks of a report that are read: one for the message and one for each recipient. */
const MOST_BLOCKS = 100;

/**
 * The blocks of fields of a delivery report or a feedback report (RFC 3464 2.1, RFC 5965 3): an empty line ends a block, a line
 * that begins with white space goes on with the field before it.
 */
export function blocksOf(text: string): Fields[] {
  const blocks = text.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/, MOST_BLOCKS);
  return blocks.map(fieldsOf).filter((fields) => fields.size > 0);
}

function fieldsOf(block: string): Fields {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (colon < 1 || fields.has(name)) continue;
    fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

/** The value of a field without its type: `rfc822; a@example.jp` is `a@example.jp`. */
export function withoutType(value: string | undefined): string | null {
  if (value === undefined) return null;
  return value.slice(value.indexOf(';') + 1).trim();
}
