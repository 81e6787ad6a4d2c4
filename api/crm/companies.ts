import { z } from 'zod';
import { createCompany, deleteCompany, updateCompany } from '../../shared/crm/companies/operations.ts';
import { companyById, companyPage } from '../../shared/crm/companies/queries.ts';
import { Company, CompanyInput, CompanyPatch, companyKind } from '../../shared/crm/companies/record.ts';
import { companyExport } from '../../shared/crm/exports/companies.ts';
import { references } from '../../shared/domains.ts';
import { id } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';
import { exportOf } from '../http/exports.ts';
import { list } from '../http/list.ts';
import { deleting, resource } from '../http/resource.ts';
import { upsert } from '../http/upsert.ts';
import { orMoved } from './moved.ts';

const company = resource({
  id: 'crm.companies',
  path: '/api/v1/crm/companies',
  domain: 'crm',
  one: 'a company',
  prefix: 'comp',
});

const CompanyReply = z.strictObject({ company: Company });

const companyList = list({
  ...company.list,
  summary: 'List companies',
  description: 'All filters hold together. A company that was merged into another is not listed.',
  item: Company,
  looked_up: companyKind,
  filters: z.object({
    search: z
      .string()
      .max(200)
      .describe('Part of the name or its kana, of the e-mail or of the phone number.')
      .meta({ examples: ['山田'] })
      .optional(),
    owner_id: id('usr').optional(),
    tag_id: id('tag').optional(),
  }),
  sorts: ['name', 'open_amount'],
  handle: ({ filters, window }, reader) => companyPage(reader, filters, window),
});

export const companies = [
  companyList,
  exportOf(companyList, companyExport),
  read({
    ...company.get,
    description: 'The ID of a company that was merged into another leads there: 301 with its place.',
    reply: CompanyReply,
    also: [301],
    handle: ({ params }, reader) =>
      orMoved(reader, '/api/v1/crm/companies', params.id, async (company_id) => ({
        company: await companyById(reader, company_id),
      })),
  }),
  write({
    ...company.create,
    description:
      'The acting user is in charge unless `owner_id` is sent. Two companies may have the same name; a `corporate_number` or an `external_id` that another company has is `already_exists`. `warnings` names what is odd but was accepted.',
    body: CompanyInput,
    reply: CompanyReply,
    raises: ['unknown_reference', 'already_exists'],
    handle: async ({ body }, work) => ({ company: await createCompany(work, body) }),
  }),
  write({
    ...company.update,
    body: CompanyPatch,
    reply: CompanyReply,
    raises: ['unknown_reference', 'already_exists', 'cycle'],
    handle: async ({ params, body }, work) => ({ company: await updateCompany(work, params.id, body) }),
  }),
  upsert({
    ...company.upsert,
    kind: companyKind,
    input: CompanyInput,
    patch: CompanyPatch,
    reply: CompanyReply,
    raises: ['unknown_reference', 'cycle'],
    create: createCompany,
    update: updateCompany,
    show: (company) => ({ company }),
  }),
  write({
    ...company.delete,
    description:
      'Contacts, deals and activities of the company stay and lose the link. One with documents is `in_use`.',
    raises: ['in_use'],
    handle: deleting((work, id) => deleteCompany(work, id, references)),
  }),
];
