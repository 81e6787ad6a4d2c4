import { normalForm } from '../../kernel/normal-form.ts';
import type { FormSettings } from '../settings/record.ts';
import { type Challenge, isProof } from './proof.ts';

/** Why a response counts as spam, in the order in which reasons are told. */
export const spamReasons = ['honeypot', 'too_fast', 'many_links', 'blocked_word', 'no_proof'] as const;

export type SpamReason = (typeof spamReasons)[number];

export type SpamRules = FormSettings['spam'];

/** A submission as its signs of spam are read. */
export type Suspect = {
  /** The answers as they are stored. */
  data: Readonly<Record<string, unknown>>;
  /** The fields whose answer is an address of the web: that is no link in a text. */
  url_fields: ReadonlySet<string>;
  /** Whether the field that people do not see came filled. */
  is_trapped: boolean;
  /** Milliseconds since the nonce of its form token was first issued. */
  elapsed: number;
  /** What its form token was issued with; null where nothing was asked for. */
  challenge: Challenge | null;
  proof: string | null;
};

/** The signs of spam that a submission bears; none: it is taken as a person's. */
export function spamSigns(rules: SpamRules, suspect: Suspect): SpamReason[] {
  const { data, url_fields, is_trapped, elapsed, challenge, proof } = suspect;
  const texts = Object.entries(data).map(([field, answer]) => ({ field, texts: textsOf(answer) }));
  const written = texts.flatMap(({ field, texts: own }) => (url_fields.has(field) ? [] : own));
  const signs: Record<SpamReason, boolean> = {
    honeypot: is_trapped,
    too_fast: elapsed < rules.min_seconds * 1_000,
    many_links: linksIn(written) > rules.max_links,
    blocked_word: hasWord(
      texts.flatMap(({ texts: own }) => own),
      rules.blocked_words,
    ),
    no_proof: challenge !== null && !isProof(challenge, proof),
  };
  return spamReasons.filter((reason) => signs[reason]);
}

/** Every text within an answer. */
function textsOf(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer];
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.values(answer).flatMap(textsOf);
}

/** An address is one link, with its scheme or from www on. */
const LINK = /https?:\/\/|(?<![\w/.])www\./g;

function linksIn(texts: readonly string[]): number {
  return texts.reduce((count, text) => count + (folded(text).match(LINK)?.length ?? 0), 0);
}

function hasWord(texts: readonly string[], words: readonly string[]): boolean {
  const wanted = words.map(folded).filter((word) => word !== '');
  if (wanted.length === 0) return false;
  return texts.map(folded).some((text) => wanted.some((word) => text.includes(word)));
}

/** Wide and narrow, large and small letters are the same. */
function folded(text: string): string {
  return normalForm(text, 'NFKC').toLowerCase().trim();
}
