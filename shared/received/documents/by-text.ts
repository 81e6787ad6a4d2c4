import type { Knex } from 'knex';
import { companiesLike } from '../../crm/companies/names.ts';
import { hasLetters, hasText } from '../../db/search-term.ts';
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
  const table = 'received_documents';
  // The letters are those of all texts, so they never tell alone that this one has the term.
  const found = [hasLetters(`${table}.search_grams`, term), hasText(`${table}.${name}_text`, term)];
  const text = found.map((each) => each.text).join(' AND ');
  query.whereRaw(`((${text}) OR ${table}.company_id = ANY (?::text[]))`, [
    ...found.flatMap(({ values }) => values as string[]),
    company_ids,
  ]);
}
