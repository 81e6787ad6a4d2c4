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

/**
 * Which entries of a domain are about records that the reader sees: SQL over `audit_logs` with `?`, null for all of them.
 */
export type AuditSight = (reader: Reader) => Promise<{ text: string; values: readonly unknown[] } | null>;

/** A domain's change history: whose, and how far it is seen; all of it where it does not say. */
export type AuditOf = { domain: string; sight?: AuditSight | undefined };

/** A domain's audit entries that the filters leave. */
export async function auditList(
  reader: Reader,
  { domain, sight }: AuditOf,
  filters: AuditFilters,
  window: Window,
): Promise<ListQuery> {
  const query = AuditLogModel.table(reader).where({ domain });
  const seen = await sight?.(reader);
  if (seen) query.whereRaw(seen.text, seen.values as never);
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
  of: AuditOf,
  filters: AuditFilters,
  window: Window,
): Promise<Page<AuditLog>> {
  const page = await pageOf<AuditRow>(reader, await auditList(reader, of, filters, window));
  return { ...page, rows: page.rows.map(auditLogOf) };
}

/** The row as the API shows it. */
export function auditLogOf({ actor_type, actor_id, ...row }: AuditRow): AuditLog {
  return { ...row, object: 'audit_log', actor: { type: actor_type, id: actor_id } };
}
