import type { z } from 'zod';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';

/** A kind of record that can be imported, and the path of its list. */
export type ImportedKind = {
  domain: ImportDomain;
  path: string;
  /** The schema of the options, for the documented form. */
  options: z.ZodObject;
  /** What the kind says of its files, behind what is said of all. */
  description?: string;
  /** What else is refused before anything is queued. */
  raises?: readonly FailureCode[];
};
