import { type ListQuery, pageOf } from '../../db/list.ts';
import type { Reader } from '../../kernel/reader.ts';
import type { Page, Window } from '../../kernel/window.ts';
import { type AuditLog, AuditLogModel } from './record.ts';

export type AuditFilters = { entity_type?: string; entity_id?: string; action?: string; actor_id?: string };

/** An entry as it is kept. */
export type AuditRow = Omit<AuditLog, 'object' | 'actor'> & {
  actor_type: AuditLog['actor']['type'];
  actor_id: string;
};

export const auditColumns = [
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

/** A domain's audit entries that the filters leave. */
export function auditList(reader: Reader, domain: string, filters: AuditFilters, window: Window): ListQuery {
  const query = AuditLogModel.table(reader).where({ domain });
  for (const [field, value] of Object.entries(filters)) if (value !== undefined) query.where(field, value);
  return {
    query,
    table: AuditLogModel.tableName,
    columns: auditColumns,
    prefix: 'aud',
    sorts: { updated_at: 'created_at' },
    window,
  };
}

/** A window of a domain's audit entries. */
export async function auditPage(
  reader: Reader,
  domain: string,
  filters: AuditFilters,
  window: Window,
): Promise<Page<AuditLog>> {
  const page = await pageOf<AuditRow>(reader, auditList(reader, domain, filters, window));
  return { ...page, rows: page.rows.map(auditLogOf) };
}

/** The row as the API shows it. */
export function auditLogOf({ actor_type, actor_id, ...row }: AuditRow): AuditLog {
  return { ...row, object: 'audit_log', actor: { type: actor_type, id: actor_id } };
}
