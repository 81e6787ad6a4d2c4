import type { Reader } from '../../kernel/reader.ts';
import type { DomainOrPlatform } from '../../kernel/scope.ts';
import type { AuditLog } from '../audit/record.ts';

/**
 * A file of evidence as the change history says it: whose it is, its number there from 1, its own ID where it has one, and its
 * SHA-256 in hexadecimal.
 */
export type RecordedFile = { record_id: string; version: number; file_id: string | null; sha256: string };

/** Which file it is. */
export type FilePlace = Omit<RecordedFile, 'sha256'>;

/** A file of evidence as it is kept. */
export type KeptFile = RecordedFile & { storage_key: string };

/** The columns of `index.csv`, a row a file. */
export const indexColumns = [
  'kind',
  'id',
  'number',
  'transaction_date',
  'company',
  'total',
  'registration_number',
  'status',
  'journal_numbers',
  'file_name',
  'sha256',
  'path',
] as const;

/** A file of an export, with what its row of `index.csv` says beside its path. */
export type ExportedFile = {
  storage_key: string;
  size: number;
  at: Date;
  /** Folders of the zip, without a `/` at the end. */
  folder: string;
  cells: Readonly<Partial<Record<Exclude<(typeof indexColumns)[number], 'path'>, string | null>>> & {
    file_name: string;
  };
};

/** What an export is asked for: the filters of the list of documents. */
export type AskedEvidence = Readonly<Record<string, unknown>>;

/** Kinds of record whose files are evidence: what the chain, its verification and the export know of them. */
export type EvidenceSource = {
  /** As the change history names them. The trigger that notes their entries names them, too. */
  entity_types: readonly string[];
  /** The files that an entry of the history added. */
  added(entry: Pick<AuditLog, 'entity_id' | 'changes'>): RecordedFile[];
  /** All files of some records. */
  kept(reader: Reader, record_ids: readonly string[]): Promise<KeptFile[]>;
  /** A kept file whose record the history does not know, if there is one. */
  unrecorded(reader: Reader): Promise<FilePlace | null>;
  /** The next files that the filters leave, behind a record, in the order of the records' IDs; `next` is null at the end. */
  exported(
    reader: Reader,
    asked: AskedEvidence,
    after: string | null,
  ): Promise<{ files: ExportedFile[]; next: string | null }>;
};

/** A source of the evidence with its domain. */
export type SourceOfDomain = EvidenceSource & { domain: DomainOrPlatform };
