import { activityExport } from '../../shared/crm/exports/activities.ts';
import { companyExport } from '../../shared/crm/exports/companies.ts';
import { contactExport } from '../../shared/crm/exports/contacts.ts';
import { dealExport } from '../../shared/crm/exports/deals.ts';
import { documentExports } from '../../shared/invoicing/exports/documents.ts';
import { lineExports } from '../../shared/invoicing/exports/lines.ts';
import { domains } from '../../shared/kernel/scope.ts';
import { mailContactExport } from '../../shared/mail/exports/contacts.ts';
import { suppressionExport } from '../../shared/mail/exports/suppressions.ts';
import { auditExport } from '../../shared/platform/audit/export.ts';
import type { Exporter } from '../../shared/platform/exports/exporter.ts';

const all: readonly Exporter[] = [
  companyExport,
  contactExport,
  dealExport,
  activityExport,
  mailContactExport,
  suppressionExport,
  ...Object.values(documentExports),
  ...Object.values(lineExports),
  ...domains.map(auditExport),
  auditExport('platform'),
];

/** Every list that can be exported, by its name. */
export const exporters: ReadonlyMap<string, Exporter> = new Map(all.map((each) => [each.name, each]));
