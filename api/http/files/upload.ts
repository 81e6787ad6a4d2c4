import { Readable } from 'node:stream';
import { Failure, invalidAll } from '../../../shared/kernel/failure.ts';
import { keepUploadedFile } from '../../../shared/platform/intake/kept-files.ts';
import { type ArrivingFile, takeFile } from '../../../shared/platform/intake/take-file.ts';
import { discardFile, storeFile } from '../../../shared/platform/storage/loose-files.ts';
import type { UploadedFile } from '../../../shared/platform/storage/stored-file.ts';
import type { ApiContext } from '../../context.ts';
import { bodyLimitsOf, isForm, tellToContinue } from '../body.ts';
import type { BodyLimits } from '../declaration.ts';
import type { WriteEndpoint } from '../endpoint.ts';
import { distinct } from '../field-errors.ts';
import { idempotencyKey } from '../idempotency.ts';
import { refusedNames } from '../refused-names.ts';
import { type Answered, type Call, runWrite } from '../run-endpoint.ts';
import { withinTime } from '../time-limits.ts';
import { admission, conditionsOf, isRepeated } from './admission.ts';
import type { Admission, UploadEndpoint } from './declarations.ts';
import { announcedSha256, requireSha256 } from './digest.ts';
import { checkedFields, givenFields } from './fields.ts';
import { faultsOfFile } from './file-faults.ts';
import { type ReceivedForm, readForm } from './form.ts';
import { inspect } from './inspection.ts';
import { readRawBody } from './raw-body.ts';

/** Bytes that a form may have beside its files. */
const FORM_OVERHEAD = 1024 * 1024;

/** Bytes up to which a body is taken whole before its files are stored, and is not admitted before it has come. */
export const SMALL = 64 * 1024;

/** Bytes that the whole body of an upload may have. */
export function formLimitOf(endpoint: UploadEndpoint): number {
  const { limit, most = 1, raw } = endpoint.file;
  if (raw === 'only') return limit;
  return limit * most + Math.max(FORM_OVERHEAD, textLimits(endpoint)?.bytes ?? 0);
}

/** What the field that holds the others together may have: as much as the JSON at the same path. */
function textLimits({ or }: UploadEndpoint): BodyLimits | null {
  return or ? bodyLimitsOf(or) : null;
}

/** Whether the body is a form; else it is the file itself. */
function isOfForm({ file }: UploadEndpoint, request: Call['request']['req']): boolean {
  return file.raw !== 'only' && isForm(request);
}

/**
 * Takes a form with files, or a file without a form. Files are in the store before the transaction begins; what it
 * keeps, it keeps as it commits. In all other cases, replays too, they are removed again.
 */
export async function runUpload(
  context: ApiContext,
  endpoint: UploadEndpoint,
  call: Call,
): Promise<Answered> {
  idempotencyKey(call.request);
  refuseOtherBodies(endpoint, call.request.req);
  // The files of a caller without an organization are kept under none.
  const { organization_id } = call.caller;
  const stored: Stored[] = [];
  let is_kept = false;
  const departed = departureOf(call.request.res);
  const is_repeated = !endpoint.file.remake && (await isRepeated(context, call));
  const upload: Upload = { endpoint, call, organization_id, stored, departed, is_repeated, admitted: null };
  try {
    const form = await received(context, upload);
    departed.throwIfAborted();
    const { fields, files: sent } = checked(context, endpoint, call, form);
    call.request.state.body_text = fingerprinted(sent, fields);
    const files = await withinTime(context.time_limits.handler, () => remade(context, upload, sent));
    const inspecting = { fields: fields as never, files };
    const inspected = is_repeated ? undefined : await inspect(context, endpoint.inspect, inspecting);
    const acted = await withinTime(context.time_limits.handler, (signal) =>
      runWrite(context, keeping(upload, { fields, files, inspected }), { ...call, signal }),
    );
    is_kept = !acted.replayed;
    return acted;
  } finally {
    if (!is_kept) for (const file of stored) await discard(context, organization_id, file);
    if (!is_kept) await upload.admitted?.dismiss();
  }
}

/** Aborted with `malformed_form` when the connection is closed before the answer has been sent. */
function departureOf(response: Call['request']['res']): AbortSignal {
  const departed = new AbortController();
  response.once('close', () => {
    if (response.writableFinished) return;
    departed.abort(
      new Failure('malformed_form', {
        detail: { en: 'The sender closed the connection', ja: '送信側が接続を閉じました' },
      }),
    );
  });
  return departed.signal;
}

/** Errors: `unsupported_media_type`. */
function refuseOtherBodies({ file }: UploadEndpoint, request: Call['request']['req']): void {
  const encoding = request.headers['content-encoding'];
  if (!file.raw && !isForm(request)) {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: 'Send the file in a form: multipart/form-data',
        ja: 'ファイルはmultipart/form-data形式のフォームで送信してください',
      },
    });
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Failure('unsupported_media_type', {
      detail: {
        en: 'Send the body without a content encoding',
        ja: '本文は圧縮などをせずに送信してください',
      },
    });
  }
}

type Stored = { storage_key: string; stored?: Promise<void> };

type Upload = {
  endpoint: UploadEndpoint;
  call: Call;
  organization_id: string;
  /** The files that are in the store by now, or on their way there. */
  stored: Stored[];
  /** Aborted when the sender has gone. */
  departed: AbortSignal;
  /** Whether its key was answered before: then its files are looked at, and not stored. */
  is_repeated: boolean;
  /** What was granted before the first byte of a file. */
  admitted: Admission<unknown> | null;
};

async function received(context: ApiContext, upload: Upload): Promise<ReceivedForm<UploadedFile>> {
  const { endpoint, call } = upload;
  const { field, most = 1 } = endpoint.file;
  const { request } = call;
  const admit = async (before: ReceivedForm<never>) => {
    if (upload.is_repeated || upload.admitted || !endpoint.admit) return;
    const { fields } = checked(context, endpoint, call, before);
    upload.admitted = await admission(context, endpoint, call, fields);
  };
  if (!isOfForm(endpoint, request.req)) {
    const announced = announcedSha256(request.get('Repr-Digest') || undefined);
    await admit({ texts: [], taken: [], faults: [] });
    const taking = (arriving: ArrivingFile) => take(context, upload, arriving);
    const form = await readRawBody(request, { file_name: field, take: taking });
    requireSha256(announced, form.taken[0]!.sha256);
    return form;
  }
  tellToContinue(request);
  const taking = async (arriving: ArrivingFile, before: ReceivedForm<never>) => {
    await admit(before);
    return take(context, upload, arriving);
  };
  const fields_first = endpoint.admit !== undefined;
  const text_limit = textLimits(endpoint)?.bytes;
  const limits = { limit: formLimitOf(endpoint), ...(text_limit && { text_limit }) };
  return readForm(request.req, { field, most, ...limits, take: taking, fields_first });
}

async function take(
  context: ApiContext,
  { endpoint, call, organization_id, stored, departed, is_repeated, admitted }: Upload,
  arriving: ArrivingFile,
): Promise<UploadedFile> {
  const { accepts, keep, remake, whole } = endpoint.file;
  const limit = Math.min(endpoint.file.limit, admitted?.limit ?? Infinity);
  const storing = isSmall(endpoint, call.request.req) ? 'small' : 'store';
  const into = remake || whole ? 'memory' : keep && !is_repeated ? storing : 'look';
  const { keepUp } = admitted ?? {};
  const file = await takeFile(
    context,
    { organization_id, limit, into, accepts, now: call.caller.now, signal: departed, keepUp },
    arriving,
  );
  const { storage_key } = file;
  if (storage_key) stored.push({ ...file, storage_key });
  if (!context.storage.is_near) await file.stored;
  return file;
}

/** Whether all that comes is few bytes, and nobody looks into the stored file before the transaction. */
function isSmall({ inspect }: UploadEndpoint, { headers }: Call['request']['req']): boolean {
  const { 'content-length': length } = headers;
  return !inspect && length !== undefined && Number(length) <= SMALL;
}

/** What makes two uploads the same: each file's content and name, in their order, and the other fields. */
function fingerprinted(files: readonly UploadedFile[], fields: unknown): string {
  return JSON.stringify([...files.flatMap(({ sha256, file_name }) => [sha256, file_name]), fields]);
}

/** Stores what is made of the files where the endpoint says so; else they are what they were. */
async function remade(
  context: ApiContext,
  { endpoint, call, organization_id, stored }: Upload,
  sent: readonly UploadedFile[],
): Promise<UploadedFile[]> {
  const { remake } = endpoint.file;
  if (!remake) return [...sent];
  const files: UploadedFile[] = [];
  for (const one of sent) {
    const { bytes, media_type, width, height } = await remake(one.head);
    const body = Readable.from([bytes]);
    const { now } = call.caller;
    const written = await storeFile(context, {
      organization_id,
      area: 'images',
      body,
      limit: bytes.length,
      now,
    });
    stored.push(written);
    const made = { media_type, content_type: media_type, head: bytes, image: { width, height } };
    files.push({ ...one, ...written, ...made });
  }
  return files;
}

function checked(
  context: ApiContext,
  endpoint: UploadEndpoint,
  { input, request }: Call,
  { texts, taken, faults }: ReceivedForm<UploadedFile>,
): { fields: unknown; files: readonly UploadedFile[] } {
  const given = givenFields(endpoint.fields, texts, endpoint.together, textLimits(endpoint)?.values);
  const query = new URLSearchParams(request.querystring);
  const body = context.versions.upgrade(input.version, endpoint, { query, body: given.values });
  const result = checkedFields(endpoint.fields, body);
  const all = distinct([
    ...faults,
    ...taken.flatMap((file) => faultsOfFile(endpoint.file, file)),
    ...given.faults,
    ...refusedNames(given.values),
    ...result.faults,
  ]);
  if (all.length > 0) throw invalidAll(all);
  return { fields: result.fields, files: taken };
}

/** The same endpoint as a write whose transaction keeps the files. */
function keeping(
  { endpoint, call, is_repeated, admitted }: Upload,
  { fields, files, inspected }: { fields: unknown; files: readonly UploadedFile[]; inspected: unknown },
): WriteEndpoint {
  const conditions = conditionsOf(call.request);
  return {
    ...endpoint,
    kind: 'write',
    async handle(input, work) {
      if (is_repeated) throw answerIsGone();
      const known = { fields: fields as never, conditions, granted: admitted?.granted, inspected };
      const given = { ...input, ...known, body: undefined, file: files[0]!, files };
      // They travel together: a small file costs hardly more than its round trips.
      const keeping = files.map(({ storage_key, ...file }) =>
        storage_key ? keepUploadedFile(work, { ...file, storage_key }) : undefined,
      );
      const storing = files.map(({ stored }) => stored);
      const [answer] = await Promise.all([endpoint.handle(given, work), ...keeping, ...storing]);
      return answer;
    },
  };
}

/** The kept answer came to its end while the bytes were compared, of which nothing is stored. */
function answerIsGone(): Failure {
  return new Failure('unavailable', {
    detail: {
      en: 'The answer to the first request is no longer kept; send it again',
      ja: '最初のリクエストの結果の保存期限が切れました。もう一度送信してください',
    },
    headers: { 'Retry-After': '1' },
  });
}

/** What cannot be removed at the moment is found by the sweep: the answer does not wait for it. */
async function discard(
  context: ApiContext,
  organization_id: string,
  { storage_key, stored }: Stored,
): Promise<void> {
  // What is written behind its removal would stay.
  await stored?.catch(() => undefined);
  await discardFile(context, organization_id, storage_key).catch((error) =>
    context.log.warn({ err: error, storage_key }, 'Could not delete an unused upload; the sweep will'),
  );
}
