import { type Readable, Transform, type TransformCallback, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../kernel/failure.ts';
import { type Files, storeFile } from '../storage/loose-files.ts';
import { Measure } from '../storage/measure.ts';
import type { UploadedFile } from '../storage/stored-file.ts';
import { type ContentKind, contentKindOf, contentKinds } from './content-kind.ts';
import { Head } from './head.ts';
import type { Scan, Scanner, Verdict } from './scanner.ts';

/** A file as it arrives: its name and type as the sender says. */
export type ArrivingFile = { body: Readable; file_name: string; media_type: string };

/** Where files go, and what looks at them on their way. */
export type Intake = Files & { scanner: Scanner | null };

export type TakeOptions = {
  organization_id: string;
  /** Bytes that the file may have. */
  limit: number;
  /** What it may be by its content; anything where absent. */
  accepts?: readonly ContentKind[];
  /** `store` puts it into the store; `memory` answers all of a small file as its head; `look` keeps nothing of it. */
  into: 'store' | 'memory' | 'look';
  now: Date;
  /** Aborted when nobody waits for the file any more: the scan and the transfer end at once. */
  signal?: AbortSignal;
};

/**
 * Takes a file from outside in one pass: its size is bounded, its type is told by its first MiB, it is hashed, and
 * scanned where there is a scanner and something of it is kept. A stored file is loose: the caller keeps or discards it.
 * Errors: `body_too_large`, `unsupported_media_type`, `unavailable`, what the body fails with.
 */
export async function takeFile(
  intake: Intake,
  { organization_id, limit, accepts, into, now, signal }: TakeOptions,
  { body, file_name, media_type }: ArrivingFile,
): Promise<UploadedFile> {
  const head = new Head((bytes) => refuseOtherKinds(bytes, accepts));
  let through: Readable = follow(body, head);
  const scan = into === 'look' ? null : (intake.scanner?.begin() ?? null);
  if (scan) through = follow(through, new ScanTap(scan));
  const measure = new Measure(limit);
  const abandon = () => {
    scan?.abandon();
    body.destroy(signal?.reason);
  };
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    if (into === 'store') {
      const stored = await storeFile(intake, { organization_id, area: 'uploads', body: through, limit, now });
      return { ...stored, file_name, media_type, ...told(head), ...(await verdictOf(scan)) };
    }
    const rest = new Writable({ write: (_chunk, _encoding, done) => done() });
    const whole = into === 'memory' ? await pipeline(through, measure, buffer) : null;
    if (!whole) await pipeline(through, measure, rest);
    const seen = { storage_key: null, ...measure.written(), file_name, media_type };
    return { ...seen, ...told(head), ...(whole && { head: whole }), ...(await verdictOf(scan)) };
  } finally {
    signal?.removeEventListener('abort', abandon);
    scan?.abandon();
  }
}

/** Pipes on with the errors, which `pipe` alone leaves behind. */
function follow<Next extends Transform>(body: Readable, next: Next): Next {
  return body.on('error', (error) => next.destroy(error)).pipe(next);
}

function told(head: Head) {
  const bytes = head.bytes();
  return { head: bytes, content_type: contentKinds[contentKindOf(bytes)] };
}

async function verdictOf(scan: Scan | null): Promise<Verdict> {
  return scan ? scan.end() : { scan: 'off', finding: null };
}

/** An empty file is of no kind: the caller refuses it for being empty. */
function refuseOtherKinds(head: Buffer, accepts: readonly ContentKind[] | undefined): void {
  const kind = contentKindOf(head);
  if (!accepts || head.length === 0 || accepts.includes(kind)) return;
  const names = accepts.map((each) => contentKinds[each]).join(', ');
  throw new Failure('unsupported_media_type', {
    detail: {
      en: `The content of the file is ${contentKinds[kind]}; send one of: ${names}`,
      ja: `ファイルの内容は ${contentKinds[kind]} です。次のいずれかを送信してください：${names}`,
    },
  });
}

/** Lets bytes through, and hands each to the scanner. */
class ScanTap extends Transform {
  readonly #scan: Scan;

  constructor(scan: Scan) {
    super();
    this.#scan = scan;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#scan.send(chunk).then(() => done(null, chunk));
  }
}
