import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { Failure, type FieldError } from '../../../shared/kernel/failure.ts';
import { predicates } from '../../../shared/kernel/field-error-words.ts';
import { joined, sameText, type Text } from '../../../shared/kernel/language.ts';
import type { ArrivingFile } from '../../../shared/platform/intake/take-file.ts';
import { giveMemoryBack } from '../../../shared/platform/storage/body.ts';
import { shownBytes } from '../body.ts';
import { restartBodyClock } from '../body-timeout.ts';
import { nameOfFile } from '../form-bytes.ts';

/** What a form held: the text of its fields and its outcomes files, in their order, and what is wrong with it. */
export type ReceivedForm<Taken> = {
  texts: [name: string, text: string][];
  taken: Taken[];
  faults: FieldError[];
};

type Options<Taken> = {
  /** The one field that may hold files. */
  field: string;
  /** How many files it may hold. */
  most: number;
  /** Bytes that the whole form may have. */
  limit: number;
  /** Bytes that one of its other fields may have, where that is more than usual. */
  text_limit?: number;
  /** Is handed each file with the fields before it, and reads all of it. */
  take: (file: ArrivingFile, before: ReceivedForm<never>) => Promise<Taken>;
  /** Whether the fields must stand before the file. */
  fields_first?: boolean;
};

const LIMITS = { fieldSize: 256 * 1024, parts: 200, headerPairs: 20, headerSize: 16 * 1024 };

/**
 * Reads a form while it arrives (RFC 7578); no file is in memory whole. Rejects only after every `take` has settled.
 * Errors: `malformed_form`, `body_too_large`, what `take` throws.
 */
export async function readForm<Taken>(
  request: IncomingMessage,
  { field, most, limit, text_limit = 0, take, fields_first = false }: Options<Taken>,
): Promise<ReceivedForm<Taken>> {
  const parser = parserOf(request, Math.max(LIMITS.fieldSize, text_limit));
  const given_up = new AbortController();
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  const giveUp = (error: unknown) => {
    given_up.abort();
    reject(error);
  };
  const texts: [string, string][] = [];
  const faults: FieldError[] = [];
  const arriving: Readable[] = [];
  const taking: Promise<Taken>[] = [];
  const fault = (name: string, code: string, predicate: Text) => faults.push(faultAt(name, code, predicate));

  parser.on('file', (name = '', body, file_name, _encoding, media_type) => {
    const isNoneChosen = file_name === '';
    if (name === field && arriving.length < most && !isNoneChosen) {
      // It may be refused before anybody reads it.
      body.on('error', () => undefined);
      const before = { texts: [...texts], taken: [], faults: [...faults] };
      const arrived = { body, file_name: nameOfFile(file_name), media_type, release: releaseChunk };
      const one = take(arrived, before);
      one.catch(giveUp);
      arriving.push(body);
      taking.push(one);
      return;
    }
    if (name !== field) fault(name, 'unknown_field', predicates.unknown_field);
    else if (arriving.length > 0) {
      if (most === 1)
        fault(name, 'repeated_field', {
          en: 'is given twice: send one file',
          ja: 'が重複しています。ファイルは1つだけ送信してください',
        });
      else
        fault(name, 'too_many', { en: `has more than ${most} files`, ja: `のファイルは${most}個までです` });
    }
    body.on('error', () => undefined).resume();
  });
  parser.on('field', (name = '', text, _, truncated) => {
    if (name === field)
      fault(name, 'invalid_type', { en: 'must be a file', ja: 'はファイルで送信してください' });
    else if (fields_first && arriving.length > 0)
      fault(field, 'misplaced', {
        en: 'must stand behind all other fields of the form',
        ja: 'はフォームの最後に置いてください',
      });
    else if (truncated) fault(name, 'too_long', { en: 'is too long', ja: 'が長すぎます' });
    else texts.push([name, text]);
  });
  parser.on('partsLimit', () =>
    giveUp(malformed({ en: 'The form has too many parts', ja: 'フォームの要素が多すぎます' })),
  );
  parser.on('error', (error) =>
    giveUp(
      malformed(
        {
          en: 'The form is not whole or not well formed',
          ja: 'フォームが途中で切れているか、形式が正しくありません',
        },
        error,
      ),
    ),
  );
  feed(request, parser, { limit, given_up: given_up.signal, giveUp });
  try {
    await Promise.race([once(parser, 'finish'), broken]);
    const taken = await Promise.all(taking);
    if (taken.length === 0 && !faults.some(({ path }) => path === `/${field}`))
      fault(field, 'required', predicates.required);
    return { texts, taken, faults };
  } catch (error) {
    for (const body of arriving) body.destroy(error as Error);
    await Promise.allSettled(taking);
    throw await broken.catch((first) => first);
  }
}

/** A fault of the form at one of its fields. */
export function faultAt(name: string, code: string, predicate: Text): FieldError {
  const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { in: 'body', path, code, message: joined([sameText(name), predicate], ' ') };
}

function parserOf(request: IncomingMessage, fieldSize: number): BusboyInstance {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      limits: { ...LIMITS, fieldSize },
      isPartAFile: (_name, _type, file_name) => file_name !== undefined,
    });
  } catch (error) {
    throw malformed(
      { en: 'The Content-Type names no boundary', ja: 'Content-Typeにboundaryの指定がありません' },
      error,
    );
  }
}

/**
 * Hands the bytes over as they come. What comes after all is given up is let go by, until the body's time is over: who
 * still sends would not read the answer otherwise.
 */
async function feed(
  request: IncomingMessage,
  parser: BusboyInstance,
  { limit, given_up, giveUp }: Feeding,
): Promise<void> {
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (given_up.aborted) continue;
      restartBodyClock(request);
      size += chunk.length;
      if (size > limit) giveUp(tooLarge(limit));
      else if (!parser.write(chunk)) await once(parser, 'drain', { signal: given_up }).catch(() => undefined);
    }
    if (!given_up.aborted) parser.end();
  } catch (cause) {
    giveUp(malformed({ en: 'The body did not arrive whole', ja: '本文が最後まで届きませんでした' }, cause));
  }
}

/** Bytes from which a chunk is one of the socket's: what the parser holds itself is shorter. */
const LARGE = 4 * 1024;

/** Most chunks of a large file are of it alone: the parser hands them on as they came. Parts of one that is shared stay. */
function releaseChunk(chunk: Buffer): void {
  if (chunk.length >= LARGE) giveMemoryBack(chunk);
}

type Feeding = { limit: number; given_up: AbortSignal; giveUp: (error: unknown) => void };

function tooLarge(limit: number): Failure {
  return new Failure('body_too_large', {
    detail: { en: `The form may have ${shownBytes(limit)}`, ja: `フォームの上限は${shownBytes(limit)}です` },
  });
}

function malformed(detail: Text, cause?: unknown): Failure {
  return new Failure('malformed_form', { detail, cause });
}
