import type { DomainOrPlatform } from '../../kernel/scope.ts';
import { column, type Exporter } from '../exports/exporter.ts';
import { type AuditSight, auditList } from './queries.ts';

const table = 'audit_logs';

/** The change history of a domain as a file. */
export function auditExport(domain: DomainOrPlatform, sight?: AuditSight): Exporter {
  return {
    name: `${domain}.audit_logs`,
    scope: 'audit:read',
    title: '変更履歴',
    columns: [
      column(table, 'id', 'text'),
      column(table, 'created_at', 'time'),
      column(table, 'domain', 'text'),
      column(table, 'entity_type', 'text'),
      column(table, 'entity_id', 'text'),
      column(table, 'action', 'text'),
      column(table, 'actor_type', 'text'),
      column(table, 'actor_id', 'text'),
      column(table, 'changes', 'text'),
      column(table, 'request_id', 'text'),
      column(table, 'ip_address', 'text'),
    ],
    japanese: {
      id: '記録ID',
      created_at: '日時',
      domain: '領域',
      entity_type: '対象の種類',
      entity_id: '対象ID',
      action: '操作',
      actor_type: '操作者の種類',
      actor_id: '操作者ID',
      changes: '変更内容',
      request_id: 'リクエストID',
      ip_address: 'IPアドレス',
    },
    is_personal: sight !== undefined,
    list: (reader, filters, window) => auditList(reader, { domain, sight }, filters, window),
  };
}
