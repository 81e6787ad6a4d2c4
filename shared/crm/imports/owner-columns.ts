import type { Reader } from '../../kernel/reader.ts';
import { foldCase } from '../../platform/search/normalise.ts';
import type { RecordField } from './field.ts';
import { wordsForPeople } from './headers.ts';

/** Fields of owners that also know the words for people by which other programs mean our own members or the customer's. */
export async function withMembers(reader: Reader, fields: readonly RecordField[]): Promise<RecordField[]> {
  const members = await reader.connection.query<{ email: string; name: string }>(
    `SELECT users.email, users.name FROM members JOIN users ON users.id = members.user_id
      WHERE members.organization_id = $1`,
    [reader.organization_id],
  );
  const known = {
    owner_email: new Set(members.map(({ email }) => email.toLowerCase())),
    owner_name: new Set(members.map(({ name }) => foldName(name))),
  };
  const is = {
    owner_email: (cell: string) => known.owner_email.has(foldName(cell)),
    owner_name: (cell: string) => known.owner_name.has(foldName(cell)),
  };
  return fields.map((field) => {
    const { name } = field;
    if (name !== 'owner_email' && name !== 'owner_name') return field;
    return { ...field, maybe: { aliases: wordsForPeople[name], is: is[name] } };
  });
}

/** Without regard to spaces, case and width: 佐藤　健 and 佐藤健 are one. */
export function foldName(name: string): string {
  return foldCase(name).replaceAll(/\s+/gu, '');
}
