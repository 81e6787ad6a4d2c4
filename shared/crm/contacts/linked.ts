/** What other domains may ask of the contact that has an e-mail. */
export type LinkedField = 'tag_id' | 'company_id' | 'owner_id' | 'deal_status' | 'stage_id' | 'custom_field';

/** By field, where its values stand: a row of `person` is the contact. */
const places: Readonly<Record<LinkedField, { beside?: string; column: string }>> = {
  tag_id: {
    beside: `JOIN crm_tag_assignments AS tagged ON tagged.organization_id = $1 AND tagged.contact_id = person.id`,
    column: 'tagged.tag_id',
  },
  company_id: { column: 'person.company_id' },
  owner_id: { column: 'person.owner_id' },
  deal_status: { beside: ofDeals(), column: 'deal.status' },
  stage_id: { beside: ofDeals(), column: 'deal.stage_id' },
  custom_field: { column: 'person.custom_fields' },
};

function ofDeals(): string {
  return `JOIN crm_deal_contacts AS part ON part.organization_id = $1 AND part.contact_id = person.id
    JOIN crm_deals AS deal ON deal.organization_id = $1 AND deal.id = part.deal_id`;
}

/**
 * The SQL that asks whether the contact with an e-mail, the oldest of several, has a value that `test` holds for, in a statement
 * whose `$1` is the organization. `email_key` is SQL for the key of the e-mail; `test` gets the SQL of the values: IDs, words, or
 * all custom fields as JSON.
 */
export function linkedContact(
  email_key: string,
  field: LinkedField,
  test: (column: string) => string,
): string {
  const { beside = '', column } = places[field];
  return `EXISTS (SELECT FROM crm_contacts AS person ${beside} WHERE person.organization_id = $1
    AND person.email_key = ${email_key} AND ${test(column)}
    AND NOT EXISTS (SELECT FROM crm_contacts AS older WHERE older.organization_id = $1
      AND older.email_key = ${email_key} AND older.id < person.id))`;
}
