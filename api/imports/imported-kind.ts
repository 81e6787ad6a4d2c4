import type { z } from 'zod';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';

/** A kind of record that can be imported, and the path of its list. */
export type ImportedKind = {
  domain: ImportDomain;
  path: string;
  /** The schema of the options, for the documented form. */
  options: z.ZodObject;
};
