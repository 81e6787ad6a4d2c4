import type { PlainTools } from './measuring.ts';

/** What the plain tools do with a list of mail contacts, whatever file it stands in. */
export type Plain = Omit<PlainTools, 'copy'> & { staging: string };

const columns = 'email text, first_name text, last_name text, company text';
const stagingOf = (name: string) => `CREATE UNLOGGED TABLE ${name} (${columns})`;
const takenOf = (name: string) => `SELECT DISTINCT ON (email) * FROM ${name}`;

/** Into a table of what the file has, with one unique index. */
export const PLAIN: Plain = {
  staging: 'plain_staging',
  before: [
    `${stagingOf('plain_staging')}; CREATE TABLE plain_contacts (organization_id text NOT NULL, email text NOT NULL,
    first_name text, last_name text, company text, UNIQUE (organization_id, email))`,
  ],
  upsert: `INSERT INTO plain_contacts SELECT 'org_01kaj2n5w5fq8b4m0g3v7x9rtc', email, first_name, last_name, company
    FROM (${takenOf('plain_staging')}) AS taken ON CONFLICT (organization_id, email) DO UPDATE
    SET first_name = excluded.first_name, last_name = excluded.last_name, company = excluded.company`,
  after: 'DROP TABLE plain_staging, plain_contacts',
};

/** Into a table with the columns and indexes of ours; a row that is there has another time of its last change then, as ours has. */
export const SAME: Plain = {
  staging: 'same_staging',
  before: [`${stagingOf('same_staging')}; CREATE TABLE same_contacts (LIKE mail_contacts INCLUDING ALL)`],
  upsert: `INSERT INTO same_contacts (organization_id, id, email, email_key, first_name, last_name, full_name, status,
      attributes, search_text, created_at, updated_at)
    SELECT 'org_01kaj2n5w5fq8b4m0g3v7x9rtc',
      'mcont_' || lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 16, '0') || lpad(row_number() OVER ()::text, 10, '0'),
      email, lower(email), first_name, last_name, first_name || ' ' || last_name, 'active', '{}',
      lower(concat_ws(chr(10), last_name || ' ' || first_name, first_name || ' ' || last_name,
        last_name || first_name, email)), now(), now()
    FROM (${takenOf('same_staging')}) AS taken ON CONFLICT (organization_id, email_key) DO UPDATE
    SET first_name = excluded.first_name, last_name = excluded.last_name, full_name = excluded.full_name,
      search_text = excluded.search_text, updated_at = excluded.updated_at`,
  after: 'DROP TABLE same_staging, same_contacts',
};
