import { pageOf } from '../db/list.ts';
import type { Reader } from '../kernel/reader.ts';
import type { Page, Window } from '../kernel/window.ts';
import { type AuditLog, AuditLogModel } from './record.ts';

export type AuditFilters = { entity_type?: string; entity_id?: string; action?: string; actor_id?: string };

type AuditRow = Omit<AuditLog, 'object' | 'actor'> & {
  actor_type: AuditLog['actor']['type'];
  actor_id: string;
};

const COLUMNS = [
  'id',
  'domain',
  'entity_type',
  'entity_id',
  'action',
  'actor_type',
  'actor_id',
  'changes',
  'request_id',
  'ip_address',
  'created_at',
] as const;

/** A window of a domain's audit entries. */
export async function auditPage(
  reader: Reader,
  domain: string,
  filters: AuditFilters,
  window: Window,
): Promise<Page<AuditLog>> {
  const query = AuditLogModel.table(reader).where({ domain });
  for (const [field, value] of Object.entries(filters)) if (value !== undefined) query.where(field, value);
  const page = await pageOf<AuditRow>(reader, {
    query,
    table: AuditLogModel.tableName,
    columns: COLUMNS,
    prefix: 'aud',
    sorts: { updated_at: 'created_at' },
    window,
  });
  return { ...page, rows: page.rows.map(auditLogOf) };
}

function auditLogOf({ actor_type, actor_id, ...row }: AuditRow): AuditLog {
  return { ...row, object: 'audit_log', actor: { type: actor_type, id: actor_id } };
}
