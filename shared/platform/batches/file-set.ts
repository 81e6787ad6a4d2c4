import type { Prefix } from '../../kernel/id.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { DomainName, Scope } from '../../kernel/scope.ts';
import type { Exporter } from '../exports/exporter.ts';
import type { Content } from '../jobs/generated.ts';
import type { NewJob } from '../jobs/operations.ts';

/** Records of one kind that have a PDF each, and whose PDFs can be had together: as a zip, or joined. */
export type FileSet = {
  /** `<domain>.<resource>`: what the IDs of its calls begin with, and the kind of its jobs. */
  name: DomainName;
  /** What the IDs of its records begin with. */
  prefix: Prefix;
  scope: Scope;
  /** What the file of many is called, without date. */
  title: string;
  /** The list that a filter chooses records of. */
  list: Exporter['list'];
  /** The job that makes one record's PDF where it is not there yet. */
  making: NewJob;
  /** By ID, the PDF of each record, or what makes it; without those that do not exist. */
  contents(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, Content>>;
};
