import { crc32 } from 'node:zlib';

/*
 * A zip file as a stream (APPNOTE 6.3.10), one member in memory at a time. Members are stored as they are: what a PDF holds
 * is packed already. Bounded by what fits into the fields of 32 bits, so that every program opens it.
 */

/** A file in the zip. */
export type ZipMember = { name: string; at: Date; bytes: Buffer };

/** Bytes that all members may have together: less than 4 GiB, with their names and the directory. */
export const MOST_ZIP_BYTES = 4_000_000_000;

/** Names are in UTF-8 (bit 11). */
const FLAGS = 0x0800;
const VERSION = 20;

/** Made on Unix, a file that all may read: names of files made on DOS are read in the letters of DOS by some programs. */
const UNIX = 3 << 8;
const READABLE = 0o100644 * 2 ** 16;

const STORED = 0;

/** The bytes of a zip file with these members. */
export async function* zipOf(members: AsyncIterable<ZipMember>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, at, bytes } of members) {
    const file_name = Buffer.from(name, 'utf8');
    const about = aboutOf(bytes, at, file_name.length);
    const local = Buffer.concat([words([0x04034b50, 4], [VERSION, 2]), about, file_name]);
    directory.push(
      words([0x02014b50, 4], [UNIX | VERSION, 2], [VERSION, 2]),
      about,
      words([0, 2], [0, 2], [0, 2], [READABLE, 4], [offset, 4]),
      file_name,
    );
    offset += local.length + bytes.length;
    yield local;
    yield bytes;
  }
  // A member has four parts in the directory.
  const count = directory.length / 4;
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  yield Buffer.concat(directory);
  yield words([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [offset, 4], [0, 2]);
}

/** What a member's own header and its line in the directory have in common, from the flags to the length of the name. */
function aboutOf(bytes: Buffer, at: Date, name_length: number): Buffer {
  const { time, date } = dosTime(at);
  const { length } = bytes;
  return words(
    [FLAGS, 2],
    [STORED, 2],
    [time, 2],
    [date, 2],
    [crc32(bytes), 4],
    [length, 4],
    [length, 4],
    [name_length, 2],
    [0, 2],
  );
}

/** The time in Japan: zip files have a clock without a zone. */
function dosTime(at: Date): { time: number; date: number } {
  const there = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO('Asia/Tokyo');
  const { year, month, day, hour, minute, second } = there;
  return {
    time: (hour << 11) | (minute << 5) | (second >> 1),
    date: (Math.max(0, year - 1980) << 9) | (month << 5) | day,
  };
}

/** Numbers in little-endian order, each of so many bytes. */
function words(...values: [value: number, bytes: 2 | 4][]): Buffer {
  const buffer = Buffer.alloc(values.reduce((sum, [, bytes]) => sum + bytes, 0));
  let offset = 0;
  for (const [value, bytes] of values) offset = buffer.writeUIntLE(value, offset, bytes);
  return buffer;
}
