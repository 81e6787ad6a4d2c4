import { buffer } from 'node:stream/consumers';
import type { UploadedFile } from '../../../shared/platform/storage/stored-file.ts';
import type { ApiContext } from '../../context.ts';
import type { Parsed } from '../declaration.ts';
import { withinTime } from '../time-limits.ts';

/** A file that is stored and not kept yet, for who looks into it. */
export type Inspection<Fields> = {
  fields: Parsed<Fields>;
  file: UploadedFile;
  /** All of its bytes. */
  content: () => Promise<Buffer>;
  /** Aborted when the call's time is over. */
  signal: AbortSignal;
};

/** Has the endpoint look into the stored file, where it does so. Errors: those of its `inspect`. */
export async function inspect(
  { storage, time_limits }: ApiContext,
  look: ((inspection: Inspection<never>) => Promise<unknown>) | undefined,
  { fields, file }: Pick<Inspection<undefined>, 'fields' | 'file'>,
): Promise<unknown> {
  if (!look) return undefined;
  const content = async () => buffer(await storage.read(file.storage_key!));
  return withinTime(time_limits.handler, (signal) =>
    look({ fields: fields as never, file, content, signal }),
  );
}
