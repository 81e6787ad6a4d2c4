import { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Failure, invalidAll } from '../../../shared/kernel/failure.ts';
import {
  discardFile,
  type Files,
  keepFile,
  storeFile,
} from '../../../shared/platform/storage/loose-files.ts';
import { Measure } from '../../../shared/platform/storage/measure.ts';
import type { UploadedFile } from '../../../shared/platform/storage/stored-file.ts';
import type { ApiContext } from '../../context.ts';
import { isForm, tellToContinue } from '../body.ts';
import type { WriteEndpoint } from '../endpoint.ts';
import { distinct } from '../field-errors.ts';
import { idempotencyKey } from '../idempotency.ts';
import { refusedNames } from '../refused-names.ts';
import { type Answered, type Call, runWrite } from '../run-endpoint.ts';
import { withinTime } from '../time-limits.ts';
import type { UploadEndpoint } from './declarations.ts';
import { checkedFields, givenFields } from './fields.ts';
import { type ArrivingFile, faultAt, type ReceivedForm, readForm } from './form.ts';
import { Head } from './head.ts';

/** Bytes that a form may have beside its file. */
const FORM_OVERHEAD = 1024 * 1024;

/** Bytes that the whole form of an upload may have. */
export function formLimitOf({ file }: UploadEndpoint): number {
  return file.limit + FORM_OVERHEAD;
}

/**
 * Takes a form with a file. The file is in the store before the transaction begins; what it keeps, it keeps as it
 * commits. In all other cases, replays too, the file is removed again.
 */
export async function runUpload(
  context: ApiContext,
  endpoint: UploadEndpoint,
  call: Call,
): Promise<Answered> {
  const { caller, request } = call;
  // The file of a caller without an organization is kept under none.
  const { organization_id } = caller;
  idempotencyKey(request);
  refuseOtherBodies(request.req);
  tellToContinue(request);
  const files: Files = context;
  const form = await readForm(request.req, {
    field: endpoint.file.field,
    limit: formLimitOf(endpoint),
    take: (file) => take(files, endpoint, organization_id, file, caller.now),
  });
  let storage_key = form.taken?.storage_key ?? null;
  let is_kept = false;
  try {
    const { fields, file: sent } = checked(context, endpoint, call, form);
    request.state.body_text = JSON.stringify([sent.sha256, sent.file_name, fields]);
    const file = await withinTime(context.time_limits.handler, () =>
      remade(files, endpoint, organization_id, sent, caller.now),
    );
    storage_key = file.storage_key;
    const acted = await withinTime(context.time_limits.handler, (signal) =>
      runWrite(context, keeping(endpoint, fields, file), { ...call, signal }),
    );
    is_kept = !acted.replayed;
    return acted;
  } finally {
    if (storage_key && !is_kept) await discard(context, organization_id, storage_key);
  }
}

/** Errors: `unsupported_media_type`. */
function refuseOtherBodies(request: Call['request']['req']): void {
  const encoding = request.headers['content-encoding'];
  if (!isForm(request)) {
    throw new Failure('unsupported_media_type', { detail: 'Send the file in a form: multipart/form-data' });
  }
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Failure('unsupported_media_type', { detail: 'Send the form without a content encoding' });
  }
}

/** Stores the file, or only reads it through where it is not to be kept. */
async function take(
  files: Files,
  { file: { limit, keep, remake } }: UploadEndpoint,
  organization_id: string,
  arriving: ArrivingFile,
  now: Date,
): Promise<UploadedFile> {
  if (remake) return takeWhole(limit, arriving);
  const { body, file_name, media_type } = arriving;
  const head = new Head();
  const through = body.on('error', (error) => head.destroy(error)).pipe(head);
  if (keep) {
    const stored = await storeFile(files, { organization_id, area: 'uploads', body: through, limit, now });
    return { ...stored, file_name, media_type, head: head.bytes() };
  }
  const measure = new Measure(limit);
  await pipeline(through, measure, new Writable({ write: (_chunk, _encoding, done) => done() }));
  return { storage_key: null, ...measure.written(), file_name, media_type, head: head.bytes() };
}

/** All of a small file, of which something else will be stored. */
async function takeWhole(
  limit: number,
  { body, file_name, media_type }: ArrivingFile,
): Promise<UploadedFile> {
  const measure = new Measure(limit);
  const head = await pipeline(body, measure, buffer);
  return { storage_key: null, ...measure.written(), file_name, media_type, head };
}

/** Stores what is made of a file where the endpoint says so; else the file is what it was. */
async function remade(
  files: Files,
  { file: { remake } }: UploadEndpoint,
  organization_id: string,
  sent: UploadedFile,
  now: Date,
): Promise<UploadedFile> {
  if (!remake) return sent;
  const { bytes, media_type, width, height } = await remake(sent.head);
  const limit = bytes.length;
  const body = Readable.from([bytes]);
  const stored = await storeFile(files, { organization_id, area: 'images', body, limit, now });
  return { ...sent, ...stored, media_type, head: bytes, image: { width, height } };
}

function checked(
  context: ApiContext,
  endpoint: UploadEndpoint,
  { input, request }: Call,
  { texts, taken, faults }: ReceivedForm<UploadedFile>,
): { fields: unknown; file: UploadedFile } {
  const given = givenFields(endpoint.fields, texts);
  const { version } = input;
  const query = new URLSearchParams(request.querystring);
  const body = context.versions.upgrade(version, endpoint, { query, body: given.values });
  const result = checkedFields(endpoint.fields, body);
  const all = distinct([
    ...faults,
    ...faultsOfFile(endpoint.file.field, taken),
    ...given.faults,
    ...refusedNames(given.values),
    ...result.faults,
  ]);
  if (all.length > 0 || !taken) throw invalidAll(all);
  return { fields: result.fields, file: taken };
}

function faultsOfFile(field: string, file: UploadedFile | null) {
  if (file && file.size === 0) return [faultAt(field, 'empty_file', 'is empty')];
  if (file && file.file_name.length > 255)
    return [faultAt(field, 'too_long', 'has a name of more than 255 characters')];
  return [];
}

/** The same endpoint as a write whose transaction keeps the file. */
function keeping(endpoint: UploadEndpoint, fields: unknown, file: UploadedFile): WriteEndpoint {
  return {
    ...endpoint,
    kind: 'write',
    async handle(input, work) {
      if (file.storage_key) await keepFile(work, file.storage_key);
      return endpoint.handle({ ...input, body: undefined, fields: fields as never, file }, work);
    },
  };
}

/** What cannot be removed just now is found by the sweep: the answer does not wait for it. */
async function discard(context: ApiContext, organization_id: string, storage_key: string): Promise<void> {
  await discardFile(context, organization_id, storage_key).catch((error) =>
    context.log.warn({ err: error, storage_key }, 'Could not delete an unused upload; the sweep will'),
  );
}
