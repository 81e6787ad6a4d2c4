import { domains } from '../../shared/domains.ts';
import type { Language } from '../../shared/kernel/language.ts';
import { translator } from '../../shared/kernel/sentences.ts';

const textOf = translator(domains.flatMap(({ warnings = [] }) => warnings));

/**
 * An answer with the warnings of its records in the caller's language: of one record, of those of a list, or of the answer
 * itself. Records keep them in English, and the log of their changes shows them as they are kept.
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
  if (!isObject(record) || !Array.isArray(record['warnings'])) return record;
  const warnings = record['warnings'].map((warning) => {
    const { message } = warning as { message?: unknown };
    return typeof message === 'string' ? { ...warning, message: textOf(message)[language] } : warning;
  });
  return { ...record, warnings };
}

function eachMember(body: Record<string, unknown>, change: (member: unknown) => unknown) {
  return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, change(member)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
