import type { Traces } from './event.ts';

/** How many traces of one kind are kept: a report that names more of them was not made by a mail server. */
const MOST = 5;

/** What stands after the `+` in the local part of an address, in `local+TOKEN@domain`, and nothing longer than a token. */
const TOKEN = /\+([0-9a-z]{1,64})@/gi;

/** Without what no database keeps: control characters, and halves of surrogate pairs. */
const MESSAGE_ID = /<[^<>\s\p{Cc}\p{Cs}]{1,400}>/gu;

/** The tokens of all addresses in texts, in their order, each once, in lower case: a mail path may fold case. */
export function tokensIn(texts: readonly (string | null | undefined)[]): string[] {
  return firstOnes(texts, TOKEN, (match) => match[1]!.toLowerCase());
}

/** The message IDs of texts with their angle brackets, in their order, each once. */
export function messageIdsIn(texts: readonly (string | null | undefined)[]): string[] {
  return firstOnes(texts, MESSAGE_ID, (match) => match[0]);
}

/** An envelope ID (RFC 3461 4.4) without what xtext encodes: it is the token alone, or an address with it. */
export function tokensInEnvelopeIds(texts: readonly (string | null | undefined)[]): string[] {
  const decoded = texts.map((text) =>
    (text ?? '')
      .trim()
      .replace(/\+([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16))),
  );
  const alone = decoded.filter((text) => /^[0-9a-z]{1,64}$/i.test(text)).map((text) => text.toLowerCase());
  return [...alone, ...tokensIn([...decoded, ...texts])].slice(0, MOST);
}

/** Whether there is a trace at all. */
export function hasTraces({ tokens, message_ids }: Traces): boolean {
  return tokens.length + message_ids.length > 0;
}

function firstOnes(
  texts: readonly (string | null | undefined)[],
  pattern: RegExp,
  take: (match: RegExpMatchArray) => string,
): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const match of (text ?? '').matchAll(pattern)) {
      if (found.size === MOST) return [...found];
      found.add(take(match));
    }
  }
  return [...found];
}
