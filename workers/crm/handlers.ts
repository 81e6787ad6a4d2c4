import { mergeJob } from '../../shared/crm/merges/jobs.ts';
import { references } from '../../shared/domains.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { mergeRecords } from './merge-records.ts';

/** The jobs of the CRM: merges of records with many references. */
export function crmHandlers({ database_url }: { database_url: string }): Handled[] {
  return [handles(mergeJob, mergeRecords({ database_url, references }))];
}
