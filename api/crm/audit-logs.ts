import { auditLogs } from '../audit-logs.ts';

export const crmAuditLogs = auditLogs('crm', '/api/v1/crm/audit-logs');
