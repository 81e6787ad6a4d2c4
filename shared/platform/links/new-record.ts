import type { Work } from '../../kernel/work.ts';
import type { LinkKey } from './keys.ts';
import { type LinkPurpose, pageOf } from './purpose.ts';
import { derivedToken, hashOfToken } from './token.ts';

const Links = { tableName: 'links' };

/** The generation of the links of a record that is just being made. */
const FIRST = 1;

/**
 * Makes the first link of a record that the work makes, without reading anything: it is the one that `newLink` makes again.
 * `key` is the purpose's (`usableKey`); where it is turned meanwhile, the link ends with it. Answers the path of its page.
 */
export function linkOfNewRecord(
  work: Work,
  purpose: LinkPurpose,
  key: LinkKey,
  { record_id, until }: { record_id: string; until: Date },
): string {
  const [token] = tokensOfNewRecords(work, purpose, key, { record_ids: [record_id], until });
  return pageOf(purpose, token!);
}

/** The same for records of which all links end together, or never where `until` is null: one statement, the tokens in their order. */
export function tokensOfNewRecords(
  work: Work,
  purpose: LinkPurpose,
  { serial, key }: LinkKey,
  { record_ids, until }: { record_ids: readonly string[]; until: Date | null },
): string[] {
  const tokens = record_ids.map((record_id) =>
    derivedToken(key, [purpose.name, work.organization_id, record_id, FIRST, '', null], purpose.derived_as),
  );
  work.insertAll(
    Links,
    tokens.map((token, place) => ({
      // In the text of PostgreSQL, since many rows travel as JSON.
      token_hash: `\\x${hashOfToken(token)!.toString('hex')}`,
      purpose: purpose.name,
      record_id: record_ids[place],
      generation: FIRST,
      key_serial: serial,
      max_uses: purpose.max_uses,
      created_at: work.now.toISOString(),
      expires_at: until?.toISOString() ?? null,
    })),
  );
  return tokens;
}
