import { auditLogs } from '../audit-logs.ts';

export const mailAuditLogs = auditLogs(
  'mail',
  '/api/v1/mail/audit-logs',
  'Who changed what. Entries are never changed or removed, so those of contacts and suppressions name a changed e-mail, name or attribute and show its values as `***`: erasing a contact leaves nothing of it here.',
);
