import type { z } from 'zod';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import type { Reader } from '../../shared/kernel/reader.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';

/** Sees that who asks may; `raises` are the codes of its refusals. */
export type Guard = { check: (reader: Pick<Reader, 'actor'>) => void; raises: readonly FailureCode[] };

/** A kind of record that can be imported, and the path of its list. */
export type ImportedKind = {
  domain: ImportDomain;
  path: string;
  /** Where its files are sent; `/import` behind its list unless said. */
  upload_path?: string;
  /** Refuses those whose scopes suffice and whose role does not. */
  guard?: Guard;
  /** The schema of the options, for the documented form. */
  options: z.ZodObject;
  /** What the kind says of its files, behind what is said of all. */
  description?: string;
  /** What else is refused before anything is queued. */
  raises?: readonly FailureCode[];
};

/** Where files of a kind are sent. */
export function uploadPathOf({ path, upload_path = `${path}/import` }: ImportedKind): string {
  return upload_path;
}
