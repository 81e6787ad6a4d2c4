import { createCompany, updateCompany } from '../../shared/crm/companies/operations.ts';
import type { CompanyInput } from '../../shared/crm/companies/record.ts';
import { createContact, updateContact } from '../../shared/crm/contacts/operations.ts';
import type { ContactInput } from '../../shared/crm/contacts/record.ts';
import { createDeal, updateDeal } from '../../shared/crm/deals/operations.ts';
import type { DealInput } from '../../shared/crm/deals/record.ts';
import type { Work } from '../../shared/kernel/work.ts';
import {
  companyNamed,
  customFieldsOf,
  type ModelKind,
  type ModelRow,
  one,
  ownerOf,
  picked,
  refuse,
  type Values,
} from './import-model.ts';

const owned = { owner_email: 'owner_id', company_external_id: 'company_id', company_name: 'company_id' };

/** Contacts, one row at a time by the API's operations. */
export const contactModel: ModelKind = {
  table: 'crm_contacts',
  kind: 'contact',
  unique: ['external_id'],
  required: ['last_name', 'first_name'],
  targets: owned,
  async write(work, values, row, make) {
    const names = ['external_id', 'last_name', 'first_name', 'email', 'phone', 'position', 'note'];
    const body = {
      ...picked(values, ...names),
      ...(await ownerOf(work, values)),
      ...customFieldsOf(values),
      ...(await companyNamed(work, values, make)),
    };
    if (row) return updateContact(work, row.id, body);
    return createContact(work, body as ContactInput);
  },
};

const COMPANY_FIELDS = ['external_id', 'corporate_number', 'name', 'name_kana', 'phone', 'industry', 'note'];

/** Companies, one row at a time by the API's operations. */
export const companyModel: ModelKind = {
  table: 'crm_companies',
  kind: 'company',
  unique: ['external_id', 'corporate_number'],
  required: ['name'],
  targets: {
    owner_email: 'owner_id',
    parent_external_id: 'parent_id',
    'payment_terms.closing_day': 'payment_terms',
    'payment_terms.months_later': 'payment_terms',
    'payment_terms.pay_day': 'payment_terms',
  },
  async write(work, values, row) {
    const body = {
      ...picked(values, ...COMPANY_FIELDS),
      ...(await ownerOf(work, values)),
      ...(await parentOf(work, values)),
      ...termsOf(values, row),
    };
    if (row) return updateCompany(work, row.id, body);
    return createCompany(work, body as CompanyInput);
  },
};

async function parentOf(work: Work, { parent_external_id }: Values): Promise<Values> {
  if (parent_external_id === undefined) return {};
  const text = 'SELECT id FROM crm_companies WHERE organization_id = $1 AND external_id = $2';
  const parent = await one(work, text, parent_external_id);
  return { parent_id: parent?.['id'] ?? refuse('parent_external_id', 'unknown_reference') };
}

function termsOf(values: Values, row: ModelRow | null): Values {
  const parts = ['closing_day', 'months_later', 'pay_day'];
  const before = (row?.['payment_terms'] ?? {}) as Values;
  const said = parts.filter((part) => values[`payment_terms.${part}`] !== undefined);
  if (said.length === 0) return {};
  const terms = parts.map((part) => {
    const value = values[`payment_terms.${part}`] ?? before[part];
    return [part, value ?? refuse(`payment_terms.${part}`, 'required')];
  });
  return { payment_terms: Object.fromEntries(terms) };
}

const DEAL_FIELDS = ['external_id', 'name', 'amount', 'currency', 'probability', 'expected_close_date'];

/** Deals, one row at a time by the API's operations. */
export const dealModel: ModelKind = {
  table: 'crm_deals',
  kind: 'deal',
  unique: ['external_id'],
  required: ['name'],
  targets: {
    owner_email: 'owner_id',
    company_external_id: 'company_id',
    company_name: 'company_id',
    contact_external_ids: 'contact_ids',
    pipeline: 'stage_id',
    stage: 'stage_id',
    currency: 'amount',
  },
  isBlank(row, target) {
    if (target === 'amount') return Number(row['amount']) === 0;
    if (target === 'probability') return row['has_own_probability'] === false;
    return undefined;
  },
  async write(work, values, row, make) {
    const placed = await stageOf(work, values, row);
    const body: Values = {
      ...picked(values, ...DEAL_FIELDS, 'lost_reason', 'source'),
      ...placed,
      ...(await ownerOf(work, values)),
      ...(await contactsOf(work, values)),
    };
    // What is the stage's probability anyway stays the stage's.
    const isOwn = row?.['has_own_probability'] === true;
    if (!isOwn && body['probability'] === (await probabilityIn(work, placed, row)))
      delete body['probability'];
    Object.assign(body, await companyNamed(work, values, make));
    if (row) return updateDeal(work, row.id, body);
    return createDeal(work, body as DealInput);
  },
};

async function stageOf(work: Work, values: Values, row: ModelRow | null): Promise<Values> {
  const { pipeline, stage } = values;
  if (pipeline === undefined && stage === undefined) return {};
  const named = pipeline
    ? await one(work, 'SELECT id FROM crm_pipelines WHERE organization_id = $1 AND name = $2', pipeline)
    : row
      ? { id: row['pipeline_id'] }
      : await one(work, 'SELECT id FROM crm_pipelines WHERE organization_id = $1 AND is_default = $2', true);
  const pipeline_id = named?.['id'] ?? refuse('pipeline', 'unknown_reference');
  if (stage === undefined) return { pipeline_id };
  const stages = await work.connection.query<{ id: string; name: string; slug: string }>(
    'SELECT id, name, slug FROM crm_stages WHERE organization_id = $1 AND pipeline_id = $2',
    [work.organization_id, pipeline_id],
  );
  const found = stages.find(({ slug }) => slug === stage) ?? stages.find(({ name }) => name === stage);
  return { pipeline_id, stage_id: found?.id ?? refuse('stage', 'unknown_reference') };
}

/** The probability of the stage that a deal comes to, null where it comes to none. */
async function probabilityIn(work: Work, placed: Values, row: ModelRow | null): Promise<number | null> {
  const stages = await work.connection.query<{
    id: string;
    pipeline_id: string;
    slug: string;
    type: string;
    probability: number;
  }>(
    `SELECT stage.id, pipeline_id, slug, type, probability FROM crm_stages AS stage
       JOIN crm_pipelines AS pipeline ON pipeline.organization_id = $1 AND pipeline.id = pipeline_id
      WHERE stage.organization_id = $1 ORDER BY is_default DESC, stage.sort_order`,
    [work.organization_id],
  );
  const present = stages.find(({ id }) => id === row?.['stage_id']);
  const pipeline_id = placed['pipeline_id'] ?? present?.pipeline_id ?? stages[0]!.pipeline_id;
  const own = stages.filter((stage) => stage.pipeline_id === pipeline_id);
  const named = own.find(({ id }) => id === placed['stage_id']);
  const alike = present && own.find(({ slug }) => slug === present.slug);
  const found =
    named ?? (placed['stage_id'] ? undefined : present ? alike : own.find(({ type }) => type === 'open'));
  return found?.probability ?? null;
}

async function contactsOf(work: Work, { contact_external_ids }: Values): Promise<Values> {
  if (contact_external_ids === undefined) return {};
  const contact_ids: unknown[] = [];
  for (const external_id of contact_external_ids as string[]) {
    const text = 'SELECT id FROM crm_contacts WHERE organization_id = $1 AND external_id = $2';
    const found = await one(work, text, external_id);
    contact_ids.push(found?.['id'] ?? refuse('contact_external_ids', 'unknown_reference'));
  }
  return { contact_ids };
}
