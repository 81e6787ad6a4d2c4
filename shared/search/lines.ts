import { digitsOf, normalise } from './normalise.ts';

/** A searched text: one line for each way in which a record may be looked for, normalised, without repeats. */
export function searchText(lines: readonly (string | null | undefined)[]): string {
  const normalised = lines.map((line) => normalise(line ?? ''));
  return [...new Set(normalised)].filter((line) => line !== '').join('\n');
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
    digitsOf(person.phone ?? ''),
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
  const names = [last ?? '', first ?? ''].filter((name) => name !== '');
  return [names.join(' '), names.toReversed().join(' '), names.join('')];
}
