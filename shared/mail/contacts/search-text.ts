import { personSearchText } from '../../platform/search/lines.ts';
import { isPlain } from '../../platform/search/normalise.ts';

export type MailPerson = { email: string; first_name: string | null; last_name: string | null };

/** What searches look through: the names in both orders and in one word, and the e-mail; one line each. */
export function mailSearchText(person: MailPerson): string {
  const { email, first_name, last_name } = person;
  if (!first_name || !last_name || !isPlain(first_name) || !isPlain(last_name) || !isPlain(email)) {
    return personSearchText({ email, first_name, last_name });
  }
  // The same for what nearly all people are called, a million times over.
  const first = first_name.toLowerCase();
  const last = last_name.toLowerCase();
  if (first === last) return personSearchText({ email, first_name, last_name });
  return `${last} ${first}\n${first} ${last}\n${last}${first}\n${email.toLowerCase()}`;
}
