import { domains } from '../../shared/domains.ts';
import type { Language, Text } from '../../shared/kernel/language.ts';
import { translator } from '../../shared/kernel/sentences.ts';
import { importSentences } from '../../shared/platform/imports/same-file.ts';
import { reasonsOf } from '../../shared/platform/operators/reasons.ts';

const textOf = translator([...importSentences, ...domains.flatMap(({ warnings = [] }) => warnings)]);

const reasonOf = reasonsOf(domains);

/** Members that hold what a record, or a check of one, has to say. */
const TOLD = ['warnings', 'errors'];

/**
 * An answer with the warnings of its records, and why jobs, imports and mails failed, in the caller's language: of one record, of those of
 * a list, or of the answer itself. Records keep them in English, and the log of their changes shows them as they are kept.
 */
export function warnedIn(language: Language, body: unknown): unknown {
  if (language === 'en' || !isObject(body)) return body;
  return translated(
    language,
    eachMember(body, (member) => translatedWithin(language, member)),
  );
}

function translatedWithin(language: Language, member: unknown): unknown {
  if (Array.isArray(member)) return member.map((record) => translated(language, record));
  return translated(language, member);
}

function translated(language: Language, record: unknown): unknown {
  if (!isObject(record)) return record;
  const told = TOLD.filter((name) => Array.isArray(record[name]));
  if (told.length === 0 && !isObject(record['error']) && !isObject(record['email'])) return record;
  const spoken = told.map((name) => [name, (record[name] as unknown[]).map((one) => spokenIn(one, textOf))]);
  const why = isObject(record['error']) ? { error: spokenIn(record['error'], reasonOf) } : {};
  return { ...record, ...Object.fromEntries(spoken), ...why, ...ofMail(record['email']) };

  function spokenIn(one: unknown, find: (english: string) => Text): unknown {
    if (!isObject(one)) return one;
    const { message } = one;
    return typeof message === 'string' ? { ...one, message: find(message)[language] } : one;
  }

  /** Why the newest mail of a document failed. */
  function ofMail(email: unknown): object {
    if (!isObject(email) || typeof email['last_error'] !== 'string') return {};
    return { email: { ...email, last_error: reasonOf(email['last_error'])[language] } };
  }
}

function eachMember(body: Record<string, unknown>, change: (member: unknown) => unknown) {
  return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, change(member)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
