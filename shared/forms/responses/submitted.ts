import type { AnsweredForm } from '../forms/rows.ts';
import type { FormVersion } from '../versions/record.ts';
import type { FormResponse } from './record.ts';

/** A response that is not spam, in the transaction that stores it or takes it back from spam. */
export type Submitted = Omit<AnsweredForm, 'version'> & {
  /** The version that it was given to. */
  version: FormVersion;
  /** With `crm` as it is before it was linked. */
  response: FormResponse;
  /** Whether it is just being stored: nothing is known of it yet. */
  is_new: boolean;
};
