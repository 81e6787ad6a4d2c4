import { TenantModel } from '../../db/model.ts';
import type { Actor } from '../../kernel/reader.ts';
import type { MailLimits } from '../mailer/mail-limits.ts';

/** What a batch was asked for, as it is kept until it has ended. */
export type BatchRequest = {
  /** The name of its kind, and of the action. */
  batch: string;
  action: string;
  /** What the action's body takes, the same for every record. */
  body: Record<string, unknown>;
  /** How many records it is about. */
  total: number;
  /** Who asked, as events and the audit log name them. What they may do is looked up anew for every record. */
  actor: Pick<Actor, 'type' | 'id' | 'user_id'>;
  request_id: string | null;
  ip_address: string | null;
  mail_limits: MailLimits;
};

/** Which files of many were asked for, as it is kept until they are put together. */
export type FilesRequest = {
  /** The name of the set. */
  files: string;
  form: 'zip' | 'pdf';
  /** Who asked: the jobs that make missing PDFs are theirs. */
  actor: Pick<Actor, 'type' | 'id' | 'user_id'>;
  request_id: string | null;
};

/** A record of a batch that nothing was done to yet. */
export type OpenEntry = { position: number; record_id: string };

/** What came of one record: the status of the single call's answer, and its code where it is a refusal. */
export type Outcome = { status: number; code: string | null };

/** What came of one record, in the result; `status` is null where its turn never came. */
export type BatchEntry = { id: string; status: number | null; code: string | null };

/** What the job of a batch says when it has ended. */
export type BatchResult = {
  succeeded: number;
  failed: number;
  /** Records whose turn never came, since the job was cancelled or given up. */
  not_done: number;
  entries: BatchEntry[];
};

/** What the job of files of many says when it has ended. */
export type FilesResult = Omit<BatchResult, 'not_done'> & { size: number };

export class BatchModel extends TenantModel {
  static override tableName = 'batches';
  static override jsonAttributes = ['request'];
}
