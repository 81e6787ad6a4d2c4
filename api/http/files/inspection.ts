import { buffer } from 'node:stream/consumers';
import type { Storage } from '../../../shared/platform/storage/storage.ts';
import type { UploadedFile } from '../../../shared/platform/storage/stored-file.ts';
import type { ApiContext } from '../../context.ts';
import type { Parsed } from '../declaration.ts';
import { withinTime } from '../time-limits.ts';

/** Files that are stored and not kept yet, for who looks into them. */
export type Inspection<Fields> = {
  fields: Parsed<Fields>;
  /** The first of the files, or the only one. */
  file: UploadedFile;
  files: readonly UploadedFile[];
  /** All of the first one's bytes. */
  content: () => Promise<Buffer>;
  /** The bytes of one of them, a piece at a time. */
  pieces: (file: UploadedFile) => AsyncIterable<Buffer>;
  /** Aborted when the call's time is over. */
  signal: AbortSignal;
};

/** Has the endpoint look into the stored files, where it does so. Errors: those of its `inspect`. */
export async function inspect(
  { storage, time_limits }: ApiContext,
  look: ((inspection: Inspection<never>) => Promise<unknown>) | undefined,
  { fields, files }: Pick<Inspection<undefined>, 'fields' | 'files'>,
): Promise<unknown> {
  if (!look) return undefined;
  const file = files[0]!;
  const content = async () => buffer(await storage.read(file.storage_key!));
  const pieces = (one: UploadedFile) => storedPieces(storage, one.storage_key!);
  return withinTime(time_limits.handler, (signal) =>
    look({ fields: fields as never, file, files, content, pieces, signal }),
  );
}

/** The bytes of a stored file, a piece at a time; the store is asked when somebody reads. */
export async function* storedPieces(storage: Storage, storage_key: string): AsyncGenerator<Buffer> {
  yield* (await storage.read(storage_key)) as AsyncIterable<Buffer>;
}
