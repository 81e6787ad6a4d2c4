import type { Prefix } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { Content } from '../jobs/generated.ts';
import type { NewJob } from '../jobs/operations.ts';

/** A kind of record with a file of its own that others may copy: its PDF, or the original that it came with. */
export type FileSource = {
  /** The word by which its records are named as `{ type, id }`. */
  type: string;
  /** What the IDs of its records begin with. */
  prefix: Prefix;
  /** What who copies the file needs. */
  scope: Scope;
  /** The job that makes a file which is not there yet; absent where all are there. */
  making?: NewJob;
  /** Whether the file of a record changes no more: that of a draft does. Absent where all are final. */
  is_final?(reader: Reader, id: string): Promise<boolean>;
  /** The file of a record, or what makes it. Errors: `not_found`. */
  content(reader: Reader, id: string): Promise<Content>;
};
