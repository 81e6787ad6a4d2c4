import { z } from 'zod';
import { mergeCompanies } from '../../shared/crm/companies/merge.ts';
import { Company } from '../../shared/crm/companies/record.ts';
import { mergeContacts } from '../../shared/crm/contacts/merge.ts';
import { Contact } from '../../shared/crm/contacts/record.ts';
import { companyMergeInput, contactMergeInput, Moved } from '../../shared/crm/merge.ts';
import { references } from '../../shared/domains.ts';
import { byId } from '../../shared/kernel/schema.ts';
import { write } from '../http/endpoint.ts';

const description = `The survivor keeps its ID and values; empty ones are filled from the loser, and \`fields\` decides
field by field. Deals, activities, contacts, tags and documents of the loser move to the survivor. The loser's ID leads
there from then on: GET answers 301, writes 404. \`dry_run\` answers what would happen.`;

export const merges = [
  write({
    id: 'crm.companies.merge',
    method: 'post',
    path: '/api/v1/crm/companies/:id/merge',
    scope: 'crm:write',
    summary: 'Merge another company into this one',
    description,
    params: byId('comp'),
    body: companyMergeInput,
    reply: z.strictObject({ company: Company, moved: Moved, dry_run: z.boolean() }),
    raises: ['unknown_reference', 'cycle'],
    handle: ({ params, body }, work) => mergeCompanies(work, params.id, body, references),
  }),
  write({
    id: 'crm.contacts.merge',
    method: 'post',
    path: '/api/v1/crm/contacts/:id/merge',
    scope: 'crm:write',
    summary: 'Merge another contact into this one',
    description,
    params: byId('cont'),
    body: contactMergeInput,
    reply: z.strictObject({ contact: Contact, moved: Moved, dry_run: z.boolean() }),
    raises: ['unknown_reference'],
    handle: ({ params, body }, work) => mergeContacts(work, params.id, body, references),
  }),
];
