import type { Connection } from '../../kernel/connection.ts';
import { Failure } from '../../kernel/failure.ts';
import type { FailureCode } from '../../kernel/failures.ts';
import type { Text } from '../../kernel/language.ts';

/** Why a link of a purpose does not open: what was sent is not a link of it, or the link has ended in one of these ways. */
export type LinkEnd = 'unknown' | 'revoked' | 'expired' | 'used';

/** A record as links name it. */
export type LinkedRecord = { organization_id: string; record_id: string };

/** What links of one kind have in common. The record that a link opens is named by its ID, in one organization. */
export type LinkPurpose = {
  /** Stands in `links.purpose`. A token opens nothing under another purpose's path. */
  name: string;
  /** The page that the link opens, without the token: `/invite`. */
  page: string;
  /** True where the page's address ends in a slash, because its own links are relative. */
  is_folder?: boolean;
  /**
   * `random`: nobody can make the token again, whatever they read from the database. `derived`: made of a key in the
   * database, so that a second mail carries the same link; not for links that alone open an account.
   */
  token: 'random' | 'derived';
  /** `hex` where the release before opens the links too, and knows 64 hexadecimal digits alone; else base64url. */
  derived_as?: 'hex' | undefined;
  /** Milliseconds from its making that a link works; null where the record decides. */
  lifetime: number | null;
  /** How often a link may be used up by `useLink`; null for any number. */
  max_uses: number | null;
  /** True where a new link of a record ends those before it. */
  one_living: boolean;
  /** True where a use ends the record's other links too. */
  use_ends_others: boolean;
  /**
   * Requests a minute of one client address with all links of the purpose, where many people hold one link and each reads
   * much; absent where a link has requests of its own, whoever holds it.
   */
  requests_of_address?: number;
  /** True where programs call with the link: it has as many requests as a credential. */
  is_program?: true;
  /** What a token opens that has the form of none in the table: it proves itself, and the link lives for ever. null: nothing. */
  finds?: (connection: Connection, token: string, now: Date) => Promise<LinkedRecord | null>;
  /** What a caller is told. An ended link that must look like an unknown one has the code of that. */
  refusals: Record<LinkEnd, FailureCode>;
  /** What `not_found` says where the words for guests do not fit. */
  opens_nothing?: Text;
};

/** The path of the page that a link opens. */
export function pageOf({ page, is_folder }: LinkPurpose, token: string): string {
  return `${page}/${encodeURIComponent(token)}${is_folder ? '/' : ''}`;
}

/** Refuses a link as its purpose does. Unknown ones and those that have ended read alike where they have one code. */
export function linkRefused({ refusals, opens_nothing = OPENS_NOTHING }: LinkPurpose, end: LinkEnd): Failure {
  const code = refusals[end];
  return new Failure(code, code === 'not_found' ? { detail: opens_nothing } : {});
}

const OPENS_NOTHING = {
  en: 'The link is not right, or does not open anything any more. Ask whoever sent it for a new one.',
  ja: 'リンクが正しくないか、すでに無効です。送信元に新しいリンクを依頼してください。',
};
