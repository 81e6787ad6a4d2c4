import type { Knex } from 'knex';
import { companiesLike } from '../../crm/companies/names.ts';
import type { Reader } from '../../kernel/reader.ts';
import { searchTerm } from '../../platform/search/grams.ts';

/**
 * Leaves the received documents that a text is part of: what is written on the document itself (its sender's name, or all
 * that search reads), or the name of its company, as the CRM finds it. The name is a line of what search reads, so one index
 * finds the letters of both.
 */
export async function narrowByText(
  reader: Reader,
  query: Knex.QueryBuilder,
  name: 'partner' | 'search',
  typed: string,
): Promise<void> {
  const term = searchTerm(typed, { phones: false });
  if (term === null) return;
  const company_ids = await companiesLike(reader, term);
  query.whereRaw(
    `((received_documents.search_grams @> ?::integer[] AND received_documents.${name}_text LIKE ?)
      OR received_documents.company_id = ANY (?::text[]))`,
    [term.grams, term.pattern, company_ids],
  );
}
