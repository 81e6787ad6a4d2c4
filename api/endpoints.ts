import { platformAuditLogs } from './audit-logs.ts';
import { changelog } from './changelog.ts';
import { crmAuditLogs } from './crm/audit-logs.ts';
import { companies } from './crm/companies.ts';
import { contacts } from './crm/contacts.ts';
import { events } from './events.ts';
import type { Endpoint } from './http/endpoint.ts';
import { jobs } from './jobs.ts';

/** Every endpoint of the API. Routes, the OpenAPI text, the reference and the contract tests follow from this list. */
export const endpoints: readonly Endpoint[] = [
  ...companies,
  ...contacts,
  ...crmAuditLogs,
  ...events,
  ...jobs,
  ...platformAuditLogs,
  ...changelog,
];
