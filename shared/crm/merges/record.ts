import { TenantModel } from '../../db/model.ts';
import type { Actor } from '../../kernel/reader.ts';
import type { MergeInput } from '../merge.ts';

/** What a merge that runs as a job was asked for, as it is kept until the job has ended. It holds IDs only. */
export type MergeRequest = {
  merger: 'crm.companies.merge' | 'crm.contacts.merge';
  survivor_id: string;
  loser_id: string;
  fields: MergeInput['fields'];
  /** The revisions of the survivor that the caller accepted (If-Match); null where any will do. */
  revisions: readonly string[] | null;
  /** Who asked, as the events and the audit log name them. */
  actor: Pick<Actor, 'type' | 'id' | 'user_id'>;
  request_id: string | null;
  ip_address: string | null;
};

export class MergeModel extends TenantModel {
  static override tableName = 'crm_merges';
  static override jsonAttributes = ['request'];
}
