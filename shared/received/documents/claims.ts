import { createHash } from 'node:crypto';
import { Failure } from '../../kernel/failure.ts';
import { normalForm } from '../../kernel/normal-form.ts';
import type { Reader } from '../../kernel/reader.ts';
import { allows } from '../../kernel/scope.ts';
import { type AskedClaims, askOthers } from './others.ts';
import type { ReceivedDocument } from './record.ts';

/*
 * What counts as a duplicate is claimed: a document holds a row for its number, in its sender's year, and one for each
 * file's SHA-256. Of a kind there is one row for a claim, so of two documents that are made at the same time one alone
 * gets it. A document whose duplicate was allowed holds a row behind that one, the claim and its own ID: it still has the
 * number or the file when the first one is rejected or gone.
 */

type Numbered = Pick<ReceivedDocument, 'number' | 'company_key' | 'issue_date' | 'received_on'>;

/** The claim that a document has to its number; null where it has no number or no sender. */
export function numberClaim({ number, company_key, issue_date, received_on }: Numbered): string | null {
  if (number === null || company_key === null) return null;
  const year = (issue_date ?? received_on).slice(0, 4);
  const folded = normalForm(number, 'NFKC').toLowerCase().replaceAll(/\s/g, '');
  // Hashed, for a name has no bound that an index would take.
  return `number:${createHash('sha256')
    .update(JSON.stringify([company_key, year, folded]))
    .digest('hex')}`;
}

const fileClaim = (sha256: string) => `file:${sha256}`;

/** The claim of a document behind the one that has it first. */
export const claimBehind = (claim: string, document_id: string) => `${claim} ${document_id}`;

/** All that a document would claim: rejected ones nothing. In the order in which claims are taken. */
export function claimsOf(document: ReceivedDocument): string[] {
  if (document.status === 'rejected') return [];
  const number = numberClaim(document);
  const claims = [...document.files.map(({ sha256 }) => fileClaim(sha256)), ...(number ? [number] : [])];
  return [...new Set(claims)].sort();
}

/** What a change of a document makes of its claims. */
export type ClaimChange = {
  held: string[];
  added: string[];
  removed: string[];
  /** The document that this one repeats, null where it repeats none. */
  duplicate_of: string | null;
};

/**
 * What of its claims a document holds after a change. What others hold is refused unless it is allowed, or was before the
 * change. Errors: `duplicate_file`, `duplicate_document`, with the other one's ID as `existing_id`.
 */
export async function claimChange(
  reader: Reader,
  before: ReceivedDocument | null,
  after: ReceivedDocument,
  { allow_duplicate }: { allow_duplicate: boolean },
): Promise<ClaimChange> {
  const wanted = claimsOf(after);
  const held = before?.claims ?? [];
  const known = before ? claimsOf(before) : [];
  const missing = wanted.filter((claim) => !held.includes(claim));
  const { id, kind } = after;
  const found = await holdersOf(
    reader,
    missing.map((claim) => ({ kind, claim })),
    id,
  );
  const holders = new Map(
    missing.flatMap((claim) => {
      const holder = found.get(`${kind} ${claim}`);
      return holder === undefined ? [] : [[claim, holder]];
    }),
  );
  const refused = missing.filter((claim) => holders.has(claim) && !known.includes(claim));
  if (refused.length > 0 && !allow_duplicate) throw duplicate(reader, refused, holders);
  const others = missing.filter((claim) => holders.has(claim));
  const holding = wanted.map((claim) => (holders.has(claim) ? claimBehind(claim, id) : claim));
  return {
    held: holding,
    added: holding.filter((claim) => !held.includes(claim)),
    removed: held.filter((claim) => !holding.includes(claim)),
    duplicate_of: repeated(after, others[0], holders),
  };
}

/** What a rejected document repeated stays told. */
function repeated(
  { status, duplicate_of }: ReceivedDocument,
  claim: string | undefined,
  holders: ReadonlyMap<string, string>,
): string | null {
  if (claim === undefined) return status === 'rejected' ? duplicate_of : null;
  return duplicate_of ?? holders.get(claim)!;
}

/** Who may not read received documents is not told which one it is. */
function duplicate(
  { actor }: Reader,
  refused: readonly string[],
  holders: ReadonlyMap<string, string>,
): Failure {
  const file = refused.find((claim) => claim.startsWith('file:'));
  const holder = holders.get(file ?? refused[0]!)!;
  const existing_id = allows(actor.grants, 'received:read') ? holder : null;
  const members = { existing_id };
  if (file !== undefined) {
    return new Failure('duplicate_file', {
      detail: {
        en: `The same file is in ${existing_id ?? 'another document'}; "allow_duplicate": true takes it all the same`,
        ja: `同じファイルが ${existing_id ?? '別の書類'} に登録されています。両方とも必要な場合は「"allow_duplicate": true」を送信してください`,
      },
      members,
    });
  }
  return new Failure('duplicate_document', {
    detail: {
      en: `${existing_id ?? 'Another document'} of this sender has this number in this year; "allow_duplicate": true takes it all the same`,
      ja: `この取引先の同じ年の${existing_id === null ? '別の書類' : `書類 ${existing_id} `}に同じ番号があります。両方とも必要な場合は「"allow_duplicate": true」を送信してください`,
    },
    members,
  });
}

/**
 * Who holds claims of kinds, first or behind others, by `<kind> <claim>`; other documents than `but`. Requests of the same
 * moment share a statement: who is told that nobody holds a claim may still find it taken, and then its work runs again.
 */
export async function holdersOf(
  reader: Reader,
  claims: AskedClaims['claims'],
  but: string | null = null,
): Promise<Map<string, string>> {
  if (claims.length === 0) return new Map();
  return (await askOthers(reader, { claims, but })).holders;
}
