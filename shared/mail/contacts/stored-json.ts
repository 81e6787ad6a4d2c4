import type { MailConsent, MailContactInput } from './record.ts';

/**
 * The database keeps the members of JSON by the length of their names in bytes, then byte by byte. Changes are told
 * by comparing texts, so what is to be stored has that order too.
 */
export function inStoredOrder(attributes: Record<string, string>): Record<string, string> {
  const keyed = Object.entries(attributes).map(([name, value]) => ({ key: Buffer.from(name), name, value }));
  keyed.sort((left, right) => left.key.length - right.key.length || Buffer.compare(left.key, right.key));
  return Object.fromEntries(keyed.map(({ name, value }) => [name, value]));
}

/** A consent as it is stored. */
export function storedConsent(consent: MailContactInput['consent']): MailConsent | null {
  if (!consent) return null;
  const { at, text, basis, source, tracking } = consent;
  return { at, text, basis, source, tracking };
}
