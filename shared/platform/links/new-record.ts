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
  { serial, key }: LinkKey,
  { record_id, until }: { record_id: string; until: Date },
): string {
  const parts = [purpose.name, work.organization_id, record_id, FIRST, '', null];
  const token = derivedToken(key, parts, purpose.derived_as);
  work.insert(Links, {
    token_hash: hashOfToken(token),
    purpose: purpose.name,
    record_id,
    generation: FIRST,
    key_serial: serial,
    max_uses: purpose.max_uses,
    created_at: work.now.toISOString(),
    expires_at: until.toISOString(),
  });
  return pageOf(purpose, token);
}
