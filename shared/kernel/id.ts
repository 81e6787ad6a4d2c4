import { randomBytes, randomFillSync } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { v7 } from 'uuid';
import type { Vocabulary } from './vocabulary.ts';

/** The prefixes of the public IDs of all kinds of record; each owner declares its own. */
export type Prefix = { [Owner in keyof Vocabulary]: Values<Vocabulary[Owner]['prefixes']> }[keyof Vocabulary];

type Values<Declared> = Declared[keyof Declared];

/** Orders the IDs that one process makes within the same millisecond. */
let sequence = Math.floor(Math.random() * 0x3fffffff);

const pool = new Uint8Array(4096);
let used = pool.length;

/** 16 random bytes, drawn from the system many at a time. */
function randomness(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.slice(used - 16, used);
}

/**
 * A new public ID: prefix, underscore, 26 letters (a UUIDv7 in base 32, as TypeID says). It sorts by its time
 * when compared as bytes; `now` becomes its millisecond.
 */
export function newId(prefix: Prefix, now: Date): string {
  sequence = (sequence + 1) & 0x7fffffff;
  const bytes = v7({ msecs: now.getTime(), seq: sequence, random: randomness() }, new Uint8Array(16));
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const PAIRS = Array.from({ length: 1024 }, (_, value) => DIGITS[value >> 5]! + DIGITS[value & 31]!);

const random = new Uint16Array(5 * 256);
let next = random.length;

/** Where five random numbers stand, drawn from the system many at a time. */
function fiveRandom(): number {
  if (next === random.length) {
    randomFillSync(random);
    next = 0;
  }
  next += 5;
  return next - 5;
}

/** By prefix, where the last series of a process is. */
const counters = new Map<Prefix, { time: string; count: number }>();

/**
 * Makes IDs of the same form for a bulk load, each later in order than the one before, at a tenth of the cost: of the
 * 74 free bits of a UUIDv7 the first 29 count on from a random start, the other 45 are random. A process goes on
 * counting where an earlier series of the same millisecond is.
 */
export function idSeries(prefix: Prefix, now: Date): () => string {
  const time = firstIdOf(prefix, now).slice(0, prefix.length + 11);
  const last = counters.get(prefix);
  const counter = last?.time === time ? last : { time, count: randomBytes(4).readUInt32BE() >>> 4 };
  counters.set(prefix, counter);
  return () => {
    counter.count += 1;
    const { count } = counter;
    // 0111 is the version and 10 the variant of the UUID; the count goes around them.
    const head = PAIRS[((14 | (count >>> 28)) << 5) | ((count >>> 23) & 31)];
    const middle =
      PAIRS[(((count >>> 18) & 31) << 5) | ((((count >>> 17) & 1) << 4) | 8) | ((count >>> 15) & 3)];
    const tail = DIGITS[(count >>> 10) & 31]! + PAIRS[count & 1023];
    const at = fiveRandom();
    return `${time}${head}${middle}${tail}${PAIRS[random[at]! & 1023]}${PAIRS[random[at + 1]! & 1023]}${PAIRS[random[at + 2]! & 1023]}${PAIRS[random[at + 3]! & 1023]}${DIGITS[random[at + 4]! & 31]}`;
  };
}

const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Whether `text` has the form of an ID with that prefix. Says nothing of whether the record exists. */
export function isId(text: string, prefix: Prefix): boolean {
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/** The millisecond that an ID was made in; the record's `created_at` is the same. */
export function timeOfId(id: string): Date {
  const bytes = TypeID.fromString(id).toUUIDBytes();
  return new Date(Buffer.from(bytes.buffer, bytes.byteOffset, 6).readUIntBE(0, 6));
}

/** The smallest ID of that millisecond: a bound for "created at or after" that the primary key serves. */
export function firstIdOf(prefix: Prefix, time: Date): string {
  const bytes = new Uint8Array(16);
  const milliseconds = Math.min(Math.max(time.getTime(), 0), 2 ** 47);
  Buffer.from(bytes.buffer).writeUIntBE(milliseconds, 0, 6);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}
