import type { Form, Visit } from '../../pages/kit/page.ts';

/** What a page is asked to show, from the parameters of its query; null for what was not asked, or not in a right way. */
export type Asked = {
  time_zone: string | null;
  duration_minutes: number | null;
  /** `YYYY-MM`. */
  month: string | null;
  /** `YYYY-MM-DD`. */
  date: string | null;
  /** An instant in milliseconds since 1970. */
  start: number | null;
};

/** What a page was asked. What it does not know it ignores: links of campaigns carry parameters of their own. */
export function askedOf({ query }: Visit): Asked {
  return askedBy(query);
}

/** The same of a form that was sent. */
export function askedIn(form: Form): Asked {
  return askedBy((name) => form.get(name));
}

function askedBy(query: (name: string) => string): Asked {
  return {
    time_zone: zoneNamed(query('time_zone')),
    duration_minutes: /^\d{1,4}$/.test(query('duration_minutes')) ? Number(query('duration_minutes')) : null,
    month: isMonth(query('month')) ? query('month') : null,
    date: isDate(query('date')) ? query('date') : null,
    start: instantNamed(query('start')),
  };
}

/** A time zone by its name as it is stored, null for what names none. */
export function zoneNamed(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/** An instant as forms and addresses write it, in milliseconds since 1970; null for what is none. */
export function instantNamed(text: string): number | null {
  const time = /^20\d\d-\d\d-\d\dT[\d:.]{5,12}Z$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

function isDate(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isMonth(text: string): boolean {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text);
}

/** The parameters of a page as texts, without those that are null. */
export function kept(asked: Partial<Asked> & Record<string, string | number | null>): Record<string, string> {
  const entries = Object.entries(asked).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      name === 'start' ? new Date(value as number).toISOString() : String(value),
    ]),
  );
}

/** The address of this page, or another one, with other parameters, in the language that was asked for. */
export function address(
  { asked_language, path }: Visit,
  asked: Partial<Asked> & Record<string, string | number | null>,
  to = path,
): string {
  const query = new URLSearchParams({ ...(asked_language && { lang: asked_language }), ...kept(asked) });
  return query.size > 0 ? `${to}?${query}` : to;
}
