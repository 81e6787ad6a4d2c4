import { loadOncePerTurn } from '../../../shared/db/load-once-per-turn.ts';
import { compiledForm } from '../../../shared/forms/answers/compiled.ts';
import type { AnsweredForm } from '../../../shared/forms/forms/rows.ts';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import { organizationById } from '../../../shared/platform/access/organizations/queries.ts';

/** Whose form it is. */
export type Site = { organization: { name: string; slug: string } };

/** The organization that the reader reads in, once for all who ask in one moment. Errors: `not_found`. */
export async function siteOf(reader: Reader): Promise<Site> {
  return { organization: (await lookUp(reader, reader.organization_id))! };
}

const lookUp = loadOncePerTurn<Site['organization']>(
  async ({ connection }, [id]) => new Map([[id!, await organizationById(connection, id!)]]),
);

/** The form of a version, as it is judged. */
export function compiledOf({ version }: AnsweredForm) {
  return compiledForm(version!.schema_json, version!.sha256);
}

/** The day in a time zone. */
export function dayIn(time_zone: string, now: Date): string {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(time_zone)
    .toPlainDate()
    .toString();
}

/** An instant in the form's zone, to the minute. */
export function timeIn(time_zone: string, iso: string, language: Language): string {
  return new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: time_zone,
  }).format(new Date(iso));
}
