import { z } from 'zod';
import { updateAccountingSettings } from '../../shared/accounting/settings/operations.ts';
import { findAccountingSettings } from '../../shared/accounting/settings/queries.ts';
import { AccountingSettings, AccountingSettingsPatch } from '../../shared/accounting/settings/record.ts';
import { categoriesInForce, taxCategories } from '../../shared/accounting/tax/categories.ts';
import { TaxCategory } from '../../shared/accounting/tax/category-field.ts';
import { day } from '../../shared/kernel/schema.ts';
import { read, write } from '../http/endpoint.ts';

const PATH = '/api/v1/accounting/settings';

const SettingsReply = z.strictObject({ settings: AccountingSettings });

export const accountingSettings = [
  read({
    id: 'accounting.settings.get',
    method: 'get',
    path: PATH,
    scope: 'accounting:read',
    summary: 'Read the settings of accounting',
    description: 'An organization that has changed nothing has the defaults.',
    reply: SettingsReply,
    handle: async (_, reader) => ({ settings: await findAccountingSettings(reader) }),
  }),
  write({
    id: 'accounting.settings.update',
    method: 'patch',
    path: PATH,
    scope: 'settings:write',
    summary: 'Change the settings of accounting',
    description: 'Of `approval` and `account_map` the places that are sent change.',
    body: AccountingSettingsPatch,
    reply: SettingsReply,
    raises: ['unknown_reference'],
    handle: async ({ body }, work) => ({ settings: await updateAccountingSettings(work, body) }),
  }),
];

export const taxCategoryList = [
  read({
    id: 'accounting.tax_categories.list',
    method: 'get',
    path: '/api/v1/accounting/tax-categories',
    scope: 'accounting:read',
    summary: 'List the categories of consumption tax',
    description: 'All of them, or those in force on `date`, as the law has them.',
    query: z.strictObject({ date: day().optional() }),
    reply: z.strictObject({ tax_categories: z.array(TaxCategory) }),
    handle: async ({ query }) => ({
      tax_categories: [...(query.date === undefined ? taxCategories : categoriesInForce(query.date))],
    }),
  }),
];
