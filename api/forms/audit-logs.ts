import { z } from 'zod';
import { storedForm } from '../../shared/forms/forms/queries.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { auditPage } from '../../shared/platform/audit/queries.ts';
import { AuditLog } from '../../shared/platform/audit/record.ts';
import { list } from '../http/list.ts';
import { PATH } from './forms.ts';

/** The change history of one form. */
export const formAuditLogs = list({
  id: 'forms.forms.audit_logs',
  path: `${PATH}/:id/audit-logs`,
  scope: 'audit:read',
  domain_scope: 'forms:read',
  summary: 'List changes of a form',
  description:
    'Who changed, published or archived it, and who changed its settings. Changes of its responses and invitations stand in `/forms/audit-logs`.',
  params: byId('form'),
  item: AuditLog,
  filters: z.object({
    entity_type: z
      .enum(['form', 'settings'])
      .describe('Changes of the form itself, or of its settings.')
      .optional(),
    action: z.enum(['create', 'update', 'delete']).optional(),
    actor_id: z.string().max(100).describe('The user or key that made the change.').optional(),
  }),
  async handle({ params, filters, window }, reader) {
    await storedForm(reader, params.id);
    return auditPage(reader, { domain: 'forms' }, { ...filters, entity_id: params.id }, window);
  },
});
