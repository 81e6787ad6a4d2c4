import { DAY } from '../kernel/days.ts';
import { domain } from '../platform/domain.ts';
import { expiry, HOUR } from '../platform/sweeps/expiry.ts';
import { companyWarnings } from './corporate-number.ts';
import { activityExport } from './exports/activities.ts';
import { companyExport } from './exports/companies.ts';
import { contactExport } from './exports/contacts.ts';
import { dealExport } from './exports/deals.ts';
import { crmImports } from './imports/domains.ts';
import { mergeJob } from './merges/jobs.ts';
import { continueMerges } from './merges/orphans.ts';
import { createDefaultPipeline } from './pipelines/operations.ts';
import { crmReferences } from './references.ts';
import { crmWords } from './words.ts';

export const crm = domain({
  name: 'crm',
  title: 'CRM',
  description: 'Companies, contacts, and deals in the stages of pipelines.',
  resources: {
    companies: { title: 'Companies', description: 'Whom you do business with.' },
    contacts: { title: 'Contacts', description: 'The people you deal with, at companies and beyond.' },
    deals: { title: 'Deals', description: 'What you hope to sell, in the stages of a pipeline.' },
    pipelines: {
      title: 'Pipelines',
      description:
        'The stages that deals go through, and the board that shows them. One pipeline is the default.',
    },
    activities: { title: 'Activities', description: 'Notes, calls, e-mails and meetings.' },
    tags: { title: 'Tags', description: 'Labels for deals, companies and contacts.' },
    tag_assignments: { title: 'Tag assignments', description: 'Which record carries which tag.' },
    custom_fields: {
      title: 'Custom fields',
      description: 'Fields of your own on companies, contacts and deals.',
    },
    search: { title: 'Search', description: 'Companies, contacts and deals at once.' },
    timeline: { title: 'Timeline', description: 'What happened around a record, newest first.' },
    duplicates: { title: 'Duplicates', description: 'Records that may be the same, to be merged.' },
    imports: {
      title: 'Imports',
      description: 'Files of records on their way in, what was wrong with them, and how to undo them.',
    },
  },
  begin: createDefaultPipeline,
  file_words: { 会社: 'companies', 連絡先: 'contacts', 案件: 'deals', 活動: 'activities' },
  exports: [companyExport, contactExport, dealExport, activityExport],
  imports: crmImports,
  sweeps: [
    expiry({
      table: 'crm_merges',
      column: 'created_at',
      age: 30 * DAY,
      every: HOUR,
      description: {
        en: 'Removes what merges that were given up had been asked for, after 30 days',
        ja: '中止した統合の依頼内容を、30日後に削除します',
      },
    }),
  ],
  orphans: { continues: [continueMerges] },
  references: crmReferences,
  words: crmWords,
  warnings: companyWarnings,
  records: { ja: '会社・担当者・案件・活動', en: 'companies, contacts, deals and activities' },
  audit_log: { path: '/api/v1/crm/audit-logs', about: 'the CRM' },
  guides: ['import-crm'],
  jobs: [mergeJob],
});
