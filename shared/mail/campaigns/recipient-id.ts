import { firstIdOf } from '../../kernel/id.ts';

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Bytes of a random UUID all of whose bits are random. */
const RANDOM_BYTES = [0, 1, 2, 3, 4, 5, 7, 9, 10];

/**
 * SQL of the ID of a recipient, of the form of all IDs (a UUIDv7 in base 32), so that a hundred thousand are made where their
 * rows are. They sort by `number`, up to 33 million; `random` is SQL of the 16 bytes of a random UUID, of which 45 bits count:
 * nobody guesses an ID, which proves that a report is about its mail.
 */
export function recipientIdSql(now: Date, number: string, random: string): string {
  const time = firstIdOf('mrcp', now).slice(0, 'mrcp_'.length + 10);
  const digit = (value: string) => `substr('${DIGITS}', 1 + (${value})::integer, 1)`;
  const counted = (shift: number) => digit(`(${number} >> ${shift}) & 31`);
  const drawn = RANDOM_BYTES.map((byte) => digit(`get_byte(${random}, ${byte}) & 31`));
  // `e` begins with the version of a UUIDv7, `8` has its variant in the middle.
  return [`'${time}e'`, counted(20), counted(15), `'8'`, counted(10), counted(5), counted(0), ...drawn].join(
    ' || ',
  );
}
