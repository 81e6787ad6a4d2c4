import { createContact, updateContact } from '../../shared/crm/contacts/operations.ts';
import type { ContactInput } from '../../shared/crm/contacts/record.ts';
import { companyNamed, customFieldsOf, type ModelKind, ownerOf, picked } from './import-model.ts';

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
