import { fullName } from '../kernel/full-name.ts';
import { normalise } from '../platform/search/normalise.ts';

export type PersonName = {
  first_name: string;
  last_name: string;
  first_name_kana?: string | null;
  last_name_kana?: string | null;
};

/** What people are sorted by: the kana where there is one, then the name; folded by case, width and kana. */
export function personSortName(person: PersonName): string {
  const { first_name, last_name, first_name_kana, last_name_kana } = person;
  if (!first_name_kana && !last_name_kana) return normalise(fullName(person));
  return normalise(`${last_name_kana || last_name} ${first_name_kana || first_name}`);
}

/** What companies and deals are sorted by: the kana where there is one, then the name. */
export function sortName(record: { name: string; name_kana?: string | null }): string {
  return normalise(record.name_kana || record.name);
}

const LEGAL_FORMS = /株式会社|有限会社|\(株\)|\(有\)|\s/gu;

/**
 * A company's name as duplicates are told by: folded, without 株式会社, ㈱, (株), 有限会社 and spaces. A name that
 * consists of nothing else stays as it is.
 */
export function companyNameKey(name: string): string {
  const folded = normalise(name);
  return folded.replace(LEGAL_FORMS, '') || folded;
}

/** A company's name as people mean one and the same by it: ㈱ and (株) for 株式会社, without spaces, folded. */
export function companyNameForm(name: string): string {
  const folded = normalise(name).replaceAll('(株)', '株式会社').replaceAll('(有)', '有限会社');
  return folded.replace(/\s/gu, '');
}
