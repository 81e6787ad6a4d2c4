import { Failure } from '../../kernel/failure.ts';
import { abandonBody, awaitReader, type Body } from '../storage/body.ts';
import { type Files, newLooseFile, storeFile } from '../storage/loose-files.ts';
import { Meter } from '../storage/measure.ts';
import type { UploadedFile } from '../storage/stored-file.ts';
import { type ContentKind, contentKindOf, contentKinds } from './content-kind.ts';
import { Head } from './head.ts';
import type { Scan, Scanner, Verdict } from './scanner.ts';

const UPLOADS = 'uploads';

/**
 * A file as it arrives: its name and type as the sender says. `release` is told of each chunk that nobody needs any more, where
 * who brings them cannot see that.
 */
export type ArrivingFile = {
  body: Body;
  file_name: string;
  media_type: string;
  release?: (chunk: Buffer) => void;
};

/** Where files go, and what looks at them on their way. */
export type Intake = Files & { scanner: Scanner | null };

export type TakeOptions = {
  organization_id: string;
  /** Bytes that the file may have. */
  limit: number;
  /** What it may be by its content; anything where absent. */
  accepts?: readonly ContentKind[];
  /**
   * `store` puts it into the store; `small` does so with all of a small file, and answers while it is `stored`; `memory`
   * answers all of a small file as its head; `look` keeps nothing of it.
   */
  into: 'store' | 'small' | 'memory' | 'look';
  now: Date;
  /** Aborted when nobody waits for the file any more: the scan and the transfer end at once. */
  signal?: AbortSignal;
  /**
   * Told how many bytes of the file have come, before they are taken; no more are read until it has settled. What it
   * throws refuses the file.
   */
  keepUp?: (bytes: number) => Promise<void>;
};

/**
 * Takes a file from outside in one pass: its size is bounded, its type is told by its first MiB, it is hashed, and
 * scanned where there is a scanner and something of it is kept. A stored file is loose: the caller keeps or discards it.
 * Errors: `body_too_large`, `unsupported_media_type`, `unavailable`, what the body fails with.
 */
export async function takeFile(
  intake: Intake,
  { organization_id, limit, accepts, into, now, signal, keepUp }: TakeOptions,
  { body, file_name, media_type, release }: ArrivingFile,
): Promise<UploadedFile> {
  let kind: ContentKind = 'binary';
  const head = new Head((bytes) => {
    kind = contentKindOf(bytes);
    // An empty file is of no kind: the caller refuses it for being empty.
    if (bytes.length > 0) refuseOtherKinds(kind, accepts);
  });
  const scan = into === 'look' ? null : (intake.scanner?.begin() ?? null);
  awaitReader(body);
  const abandon = () => {
    scan?.abandon();
    abandonBody(body, signal?.reason);
  };
  signal?.addEventListener('abort', abandon, { once: true });
  const seen = lookedAt(body, { head, scan, signal, keepUp, release });
  try {
    const taken =
      into === 'store'
        ? await storeFile(intake, { organization_id, area: UPLOADS, body: seen, limit, now })
        : await readWhole(seen, limit, into);
    const known = { head: head.end(), ...taken, file_name, media_type, content_type: contentKinds[kind] };
    const storing = into === 'small' && (await beginToStore(intake, { organization_id, now }, head.end()));
    return { ...known, ...storing, ...(await verdictOf(scan)) };
  } finally {
    signal?.removeEventListener('abort', abandon);
    abandonBody(body);
    scan?.abandon();
  }
}

type Looking = Pick<TakeOptions, 'keepUp' | 'signal'> &
  Pick<ArrivingFile, 'release'> & { head: Head; scan: Scan | null };

/**
 * Shows each chunk to all who look at it before it goes on: none of them needs it any more when the next one is asked for,
 * so that its memory can be given back.
 */
async function* lookedAt(
  body: Body,
  { head, scan, signal, keepUp, release }: Looking,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    signal?.throwIfAborted();
    size += chunk.length;
    if (keepUp) await keepUp(size);
    head.add(chunk);
    if (scan) await scan.send(chunk);
    yield chunk;
    release?.(chunk);
  }
  head.end();
}

/** Begins to store a small file. Errors: those of `newLooseFile`. */
async function beginToStore(
  intake: Intake,
  { organization_id, now }: Pick<TakeOptions, 'organization_id' | 'now'>,
  bytes: Buffer,
): Promise<Pick<UploadedFile, 'storage_key' | 'stored'>> {
  const storage_key = await newLooseFile(intake, { organization_id, area: UPLOADS, now });
  const stored = intake.storage.put(storage_key, bytes);
  // Whoever keeps the file waits for it, and may have ended for another reason before.
  stored.catch(() => undefined);
  return { storage_key, stored };
}

/** Reads what is not streamed to the store; in `memory`, all of it is its head. Errors: `body_too_large`. */
async function readWhole(body: Body, limit: number, into: 'small' | 'memory' | 'look') {
  const meter = new Meter(limit);
  const chunks: Buffer[] = [];
  for await (const chunk of body) {
    meter.add(chunk);
    if (into === 'memory') chunks.push(Buffer.from(chunk));
  }
  const seen = { storage_key: null, ...meter.written() };
  return into === 'memory' ? { ...seen, head: Buffer.concat(chunks) } : seen;
}

async function verdictOf(scan: Scan | null): Promise<Verdict> {
  return scan ? scan.end() : { scan: 'off', finding: null };
}

/** Kinds that their bytes alone do not tell apart, as callers know them. */
const namesOf: Partial<Record<ContentKind, string>> = { text: 'text/csv (.csv), message/rfc822 (.eml)' };

function refuseOtherKinds(kind: ContentKind, accepts: readonly ContentKind[] | undefined): void {
  if (!accepts || accepts.includes(kind)) return;
  const names = accepts.map((each) => namesOf[each] ?? contentKinds[each]).join(', ');
  throw new Failure('unsupported_media_type', {
    detail: {
      en: `The content of the file is ${contentKinds[kind]}; send one of: ${names}`,
      ja: `ファイルの内容は ${contentKinds[kind]} です。次のいずれかを送信してください：${names}`,
    },
  });
}
