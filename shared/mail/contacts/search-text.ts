import { personSearchText } from '../../search/lines.ts';

export type MailPerson = { email: string; first_name: string | null; last_name: string | null };

/** What searches look through: the names in both orders and in one word, and the e-mail; one line each. */
export function mailSearchText({ email, first_name, last_name }: MailPerson): string {
  return personSearchText({ email, first_name, last_name });
}
