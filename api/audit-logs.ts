import { z } from 'zod';
import { domains } from '../shared/domains.ts';
import type { DomainOrPlatform } from '../shared/kernel/scope.ts';
import { auditExport } from '../shared/platform/audit/export.ts';
import { auditPage } from '../shared/platform/audit/queries.ts';
import { AuditLog } from '../shared/platform/audit/record.ts';
import type { Domain } from '../shared/platform/domain.ts';
import { SealedAuditLog, withSeals } from '../shared/platform/evidence/record.ts';
import { sealForReader } from '../shared/platform/evidence/seal.ts';
import { exportOf } from './http/exports.ts';
import { list } from './http/list.ts';

const CHAIN =
  'Changes of evidence are links of a chain, one for the organization: `hash` is the SHA-256 of `canonical`, which has the hash of the link before. `POST /evidence/verify` recomputes it.';

/** The listing of a domain's change history, which every domain has, and its export. */
function auditLogs(
  domain: DomainOrPlatform,
  {
    path,
    about,
    sight,
    description = 'Who changed what, from which value to which. Entries are never changed or removed.',
  }: Domain['audit_log'],
  holds_evidence = false,
) {
  const entries = list({
    id: `${domain}.audit_logs.list`,
    path,
    scope: 'audit:read',
    ...(domain !== 'platform' && { domain_scope: `${domain}:read` as const }),
    summary: `List changes of ${about}`,
    description: holds_evidence ? `${description} ${CHAIN}` : description,
    item: holds_evidence ? SealedAuditLog : AuditLog,
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
    async handle({ filters, window }, reader) {
      if (holds_evidence) await sealForReader(reader);
      const page = await auditPage(reader, { domain, sight }, filters, window);
      return holds_evidence ? { ...page, rows: await withSeals(reader, page.rows) } : page;
    },
  });
  return [entries, exportOf(entries, auditExport(domain, sight))];
}

/** The change histories of all domains, and that of the platform: keys, members and settings. */
export const allAuditLogs = [
  ...domains.flatMap(({ name, audit_log, evidence }) => auditLogs(name, audit_log, evidence !== undefined)),
  ...auditLogs('platform', { path: '/api/v1/audit-logs', about: 'keys, members and settings' }),
];
