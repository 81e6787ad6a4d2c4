import { access } from './access/endpoints.ts';
import { accounting } from './accounting/endpoints.ts';
import { attendance } from './attendance/endpoints.ts';
import { allAuditLogs } from './audit-logs.ts';
import { changelog } from './changelog.ts';
import { cloud } from './cloud/endpoints.ts';
import { crm } from './crm/endpoints.ts';
import { events } from './events.ts';
import { forms } from './forms/endpoints.ts';
import type { Endpoint } from './http/endpoint.ts';
import { invoicing } from './invoicing/endpoints.ts';
import { jobs } from './jobs.ts';
import { mail } from './mail/endpoints.ts';
import { received } from './received/endpoints.ts';
import { scheduler } from './scheduler/endpoints.ts';
import { sign } from './sign/endpoints.ts';

/** Every endpoint of the API. Routes, the OpenAPI text, the reference and the contract tests follow from this list. */
export const endpoints: readonly Endpoint[] = [
  ...access,
  ...crm,
  // Before invoices: `audit-logs` would be read as the ID of one.
  ...allAuditLogs,
  ...mail,
  ...attendance,
  ...scheduler,
  ...invoicing,
  ...received,
  ...accounting,
  ...cloud,
  ...sign,
  ...forms,
  ...events,
  ...jobs,
  ...changelog,
];
