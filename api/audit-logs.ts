import { z } from 'zod';
import { domains } from '../shared/domains.ts';
import type { DomainOrPlatform } from '../shared/kernel/scope.ts';
import { auditExport } from '../shared/platform/audit/export.ts';
import { auditPage } from '../shared/platform/audit/queries.ts';
import { AuditLog } from '../shared/platform/audit/record.ts';
import type { Domain } from '../shared/platform/domain.ts';
import { exportOf } from './http/exports.ts';
import { list } from './http/list.ts';

/** The listing of a domain's change history, which every domain has, and its export. */
function auditLogs(
  domain: DomainOrPlatform,
  {
    path,
    about,
    description = 'Who changed what, from which value to which. Entries are never changed or removed.',
  }: Domain['audit_log'],
) {
  const entries = list({
    id: `${domain}.audit_logs.list`,
    path,
    scope: 'audit:read',
    ...(domain !== 'platform' && { domain_scope: `${domain}:read` as const }),
    summary: `List changes of ${about}`,
    description,
    item: AuditLog,
    filters: z.object({
      entity_type: z
        .string()
        .max(50)
        .meta({ examples: ['contact'] })
        .optional(),
      entity_id: z.string().max(100).optional(),
      action: z.enum(['create', 'update', 'delete']).optional(),
      actor_id: z.string().max(100).describe('The user or key that made the change.').optional(),
    }),
    handle: ({ filters, window }, reader) => auditPage(reader, domain, filters, window),
  });
  return [entries, exportOf(entries, auditExport(domain))];
}

/** The change histories of all domains, and that of the platform: keys, members and settings. */
export const allAuditLogs = [
  ...domains.flatMap(({ name, audit_log }) => auditLogs(name, audit_log)),
  ...auditLogs('platform', { path: '/api/v1/audit-logs', about: 'keys, members and settings' }),
];
