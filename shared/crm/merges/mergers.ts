import type { Work } from '../../kernel/work.ts';
import type { Reference } from '../../platform/references.ts';
import { type CompanyMerge, mergeCompanies } from '../companies/merge.ts';
import { type ContactMerge, mergeContacts } from '../contacts/merge.ts';
import type { MergeInput, Moved } from '../merge.ts';
import type { MergeRequest } from './record.ts';

/** A kind of record that can be merged. */
export type Merger<Result extends { moved: Moved; dry_run: boolean }> = {
  /** The operation, and the kind of its jobs. */
  name: MergeRequest['merger'];
  table: string;
  merge(work: Work, id: string, input: MergeInput, references: readonly Reference[]): Promise<Result>;
};

export const companyMerger: Merger<CompanyMerge> = {
  name: 'crm.companies.merge',
  table: 'crm_companies',
  merge: mergeCompanies,
};

export const contactMerger: Merger<ContactMerge> = {
  name: 'crm.contacts.merge',
  table: 'crm_contacts',
  merge: mergeContacts,
};

const mergers = { [companyMerger.name]: companyMerger, [contactMerger.name]: contactMerger };

/** The kind of record that a kept merge is about. */
export function mergerOf({ merger }: MergeRequest): Merger<CompanyMerge | ContactMerge> {
  return mergers[merger]!;
}
