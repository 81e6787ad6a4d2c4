import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

/** What a bank reads in a file for 総合振込, by the positions of its format. */
export type ReadTransferFile = {
  header: Record<'client_code' | 'holder' | 'day' | 'bank' | 'branch' | 'type' | 'number', string>;
  transfers: (Record<'bank' | 'branch' | 'type' | 'number' | 'holder', string> & { amount: number })[];
  count: number;
  sum: number;
};

/**
 * Reads a transfer file as a bank would: bytes by position, letters by iconv. Throws where a record has another length, or
 * where what is to be blank or fixed is not.
 */
export function readTransferFile(bytes: Buffer): ReadTransferFile {
  const letters = execFileSync('iconv', ['-f', 'CP932', '-t', 'UTF-8'], { input: bytes, encoding: 'utf8' });
  assert.equal(letters.length, bytes.length, 'each letter is one byte');
  assert.equal(bytes.length % 122, 0, `${bytes.length} bytes`);
  const records = Array.from({ length: bytes.length / 122 }, (_, place) => {
    assert.equal(letters.slice(place * 122 + 120, place * 122 + 122), '\r\n');
    return letters.slice(place * 122, place * 122 + 120);
  });
  const text = (record: string, first: number, last: number) => record.slice(first - 1, last);
  const blank = (record: string, first: number, last: number) =>
    assert.match(text(record, first, last), /^ +$/, `${first} to ${last}`);
  const [head, ...rest] = records as [string, ...string[]];
  const end = rest.pop()!;
  const trailer = rest.pop()!;
  assert.equal(text(head, 1, 4), '1210');
  for (const [from, to] of [
    [63, 77],
    [81, 95],
    [104, 120],
  ] as const)
    blank(head, from, to);
  assert.equal(text(trailer, 1, 1), '8');
  blank(trailer, 20, 120);
  assert.equal(text(end, 1, 1), '9');
  blank(end, 2, 120);
  return {
    header: {
      client_code: text(head, 5, 14),
      holder: text(head, 15, 54).trimEnd(),
      day: text(head, 55, 58),
      bank: text(head, 59, 62),
      branch: text(head, 78, 80),
      type: text(head, 96, 96),
      number: text(head, 97, 103),
    },
    transfers: rest.map((record) => {
      assert.equal(text(record, 1, 1), '2');
      assert.equal(text(record, 39, 42), '0000');
      assert.equal(text(record, 91, 91), '0');
      assert.equal(text(record, 112, 112), '7');
      for (const [from, to] of [
        [6, 20],
        [24, 38],
        [92, 111],
        [113, 120],
      ] as const)
        blank(record, from, to);
      return {
        bank: text(record, 2, 5),
        branch: text(record, 21, 23),
        type: text(record, 43, 43),
        number: text(record, 44, 50),
        holder: text(record, 51, 80).trimEnd(),
        amount: Number(text(record, 81, 90)),
      };
    }),
    count: Number(text(trailer, 2, 7)),
    sum: Number(text(trailer, 8, 19)),
  };
}
