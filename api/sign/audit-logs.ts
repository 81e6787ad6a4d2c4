import { z } from 'zod';
import { byId } from '../../shared/kernel/schema.ts';
import { auditPage } from '../../shared/platform/audit/queries.ts';
import { AuditLog } from '../../shared/platform/audit/record.ts';
import { storedDocument } from '../../shared/sign/documents/queries.ts';
import { list } from '../http/list.ts';

/** The change history of one document. */
export const documentAuditLogs = list({
  id: 'sign.documents.audit_logs',
  path: '/api/v1/sign/documents/:id/audit-logs',
  scope: 'audit:read',
  domain_scope: 'sign:read',
  summary: 'List changes of a document',
  description:
    'Who changed what, from which value to which; of codes and values only that they changed. What its signers did in detail is its trail.',
  params: byId('doc'),
  item: AuditLog,
  filters: z.object({
    action: z.enum(['create', 'update', 'delete']).optional(),
    actor_id: z.string().max(100).describe('The user or key that made the change.').optional(),
  }),
  async handle({ params, filters, window }, reader) {
    await storedDocument(reader, params.id);
    const about = { entity_type: 'document', entity_id: params.id };
    return auditPage(reader, { domain: 'sign' }, { ...filters, ...about }, window);
  },
});
