import { byField } from '../../platform/imports/reading/cell.ts';
import { CompanyPatch } from '../companies/record.ts';
import { field, type RecordField } from './field.ts';

/** The columns by which a contact or a deal names its company. */
export const companyFieldsOf = (company_id: Parameters<typeof byField>[0]): RecordField[] => [
  field(
    'company_external_id',
    {
      ja: '会社の外部ID',
      en: 'Company external ID',
      target: 'company_id',
    },
    byField(CompanyPatch.shape.external_id),
  ),
  field(
    'company_name',
    {
      ja: '会社名',
      en: 'Company',
      target: 'company_id',
    },
    byField(CompanyPatch.shape.name),
  ),
  field('company_id', { ja: '会社ID', en: 'Company ID' }, byField(company_id)),
];
