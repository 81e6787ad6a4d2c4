import { auditLogs } from '../audit-logs.ts';

export const invoicingAuditLogs = auditLogs('invoicing', '/api/v1/invoices/audit-logs');
