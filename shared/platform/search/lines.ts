import { digitsOf, normalise } from './normalise.ts';

/** A searched text: one line for each way in which a record may be looked for, normalised, without repeats. */
export function searchText(lines: readonly (string | null | undefined)[]): string {
  const distinct: string[] = [];
  for (const line of lines) {
    const normalised = line ? normalise(line) : '';
    if (normalised !== '' && !distinct.includes(normalised)) distinct.push(normalised);
  }
  return distinct.join('\n');
}

export type SearchedPerson = {
  first_name: string | null;
  last_name: string | null;
  first_name_kana?: string | null;
  last_name_kana?: string | null;
  email?: string | null;
  phone?: string | null;
};

/** A person is found by name and kana, in both orders and in one word, by e-mail and by the digits of the phone. */
export function personSearchText(person: SearchedPerson): string {
  return searchText([
    ...nameLines(person.last_name, person.first_name),
    ...nameLines(person.last_name_kana, person.first_name_kana),
    person.email,
    person.phone && digitsOf(person.phone),
  ]);
}

export type SearchedCompany = {
  name: string;
  name_kana?: string | null;
  email?: string | null;
  phone?: string | null;
};

/** A company is found by name and kana, by e-mail and by the digits of the phone. */
export function companySearchText(company: SearchedCompany): string {
  return searchText([company.name, company.name_kana, company.email, digitsOf(company.phone ?? '')]);
}

function nameLines(last: string | null | undefined, first: string | null | undefined): string[] {
  if (!last || !first) return [last || first || ''];
  return [`${last} ${first}`, `${first} ${last}`, `${last}${first}`];
}
