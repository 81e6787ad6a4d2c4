import { encode, wrap } from 'nodemailer/lib/qp';

/** What is sent of a part: text that is written in it, and places that are filled in. */
export type Segments<Place> = readonly (string | Place)[];

/** A part, encoded but for its places. `write` gives what is sent, in ASCII, with what is filled in at each of them. */
export type EncodedPart<Place> = {
  encoding: 'quoted-printable' | 'base64';
  write: (valueAt: (place: Place) => string) => string;
};

/**
 * Encodes what is written once, so that a message costs its values alone (RFC 2045). Text of mostly other letters than
 * ASCII goes in base64, a third longer than its bytes, all else in quoted-printable, which is three times as long for such
 * letters. Line ends are CRLF, no line is longer than 76.
 */
export function encodedPart<Place extends object>(segments: Segments<Place>): EncodedPart<Place> {
  const written = segments.filter((segment) => typeof segment === 'string').join('');
  const beyond = Buffer.byteLength(written) - (written.match(/[\0-\x7f]/g)?.length ?? 0);
  return beyond * 4 > Buffer.byteLength(written) ? inBase64(segments) : inQuotedPrintable(segments);
}

/** A soft line break, which readers take out: behind it a line has its whole length again. */
const SOFT = '=\r\n';

function inQuotedPrintable<Place extends object>(segments: Segments<Place>): EncodedPart<Place> {
  const encoded = segments.map((segment) => (typeof segment === 'string' ? quoted(segment) : segment));
  return {
    encoding: 'quoted-printable',
    write: (valueAt) => {
      let text = '';
      for (const segment of encoded) {
        text += typeof segment === 'string' ? segment : SOFT + quoted(valueAt(segment)) + SOFT;
      }
      return text;
    },
  };
}

/** One character of each line is left for the `=` of a soft break. */
function quoted(text: string): string {
  return wrap(encode(withCrlf(text)), 75);
}

/** 57 bytes are 76 characters. */
const BYTES_A_LINE = 57;

/** What stands between two places, for each number of bytes that the character group before it still takes. */
type Phases = readonly { head: Buffer; lines: string; tail: Buffer }[];

/**
 * Three bytes are four characters, and what is filled in moves all that follows by its length. So each text is encoded
 * thrice, behind none, one and two bytes that belong to its first group.
 */
function inBase64<Place extends object>(segments: Segments<Place>): EncodedPart<Place> {
  const encoded = segments.map((segment) => (typeof segment === 'string' ? phasesOf(segment) : segment));
  return {
    encoding: 'base64',
    write: (valueAt) => {
      let text = '';
      let open: Buffer = EMPTY;
      for (const segment of encoded) {
        if (isPhases(segment)) {
          const { head, lines, tail } = segment[(3 - open.length) % 3]!;
          const group = Buffer.concat([open, head]);
          if (group.length < 3 && lines === '' && tail.length === 0) open = group;
          else {
            text += linesOf(group) + lines;
            open = tail;
          }
        } else {
          const bytes = Buffer.concat([open, Buffer.from(withCrlf(valueAt(segment)))]);
          const whole = bytes.length - (bytes.length % 3);
          text += linesOf(bytes.subarray(0, whole));
          open = bytes.subarray(whole);
        }
      }
      return text + linesOf(open);
    },
  };
}

const EMPTY = Buffer.alloc(0);

function isPhases<Place extends object>(segment: Phases | Place): segment is Phases {
  return Array.isArray(segment);
}

function phasesOf(text: string): Phases {
  const bytes = Buffer.from(withCrlf(text));
  return [0, 1, 2].map((taken) => {
    const rest = bytes.subarray(taken);
    const whole = rest.length - (rest.length % 3);
    return {
      head: bytes.subarray(0, taken),
      lines: linesOf(rest.subarray(0, whole)),
      tail: rest.subarray(whole),
    };
  });
}

function linesOf(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += BYTES_A_LINE) {
    text += `${bytes.toString('base64', at, Math.min(at + BYTES_A_LINE, bytes.length))}\r\n`;
  }
  return text;
}

function withCrlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}
