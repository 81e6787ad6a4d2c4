/** Files that are read back when all are verified, by the table that names them beside `storage_key` and `sha256`. */
export type VerifiedFiles = {
  table: string;
  /** Its primary key behind the organization. */
  key: readonly string[];
  /** The column with their bytes. */
  size: string;
  /** Which of its rows have such a file, as SQL; all where absent. */
  where?: string;
};

/** What came from outside. */
export const filesFromOutside: VerifiedFiles = { table: 'files', key: ['storage_key'], size: 'size' };
