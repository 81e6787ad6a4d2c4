import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { CALDAV, type DavResponse, type Multistatus, readMultistatus } from '../caldav/multistatus.ts';

const DATA = `${CALDAV} calendar-data`;

/**
 * The texts of calendars in a multistatus with the resources that they are of, and all resources of which it says what they
 * hold: those that are gone too, not those that the server failed at. Refuses what is not one: `not_a_calendar`.
 */
export function calendarTextsOf(text: string): {
  texts: { resource: string; text: string }[];
  resources: string[];
} {
  const { responses } = answered(text);
  const texts = responses.flatMap(({ href, properties }) => {
    const data = properties.get(DATA);
    return data ? [{ resource: href, text: data.text }] : [];
  });
  return { texts, resources: responses.filter(isAnswered).map(({ href }) => href) };
}

function isAnswered({ status, properties, missing }: DavResponse): boolean {
  return properties.has(DATA) || isGone(status) || isGone(missing.get(DATA) ?? null);
}

function isGone(status: number | null): boolean {
  return status === 404 || status === 410;
}

function answered(text: string): Multistatus {
  try {
    return readMultistatus(text);
  } catch {
    throw new UnreadableFile('not_a_calendar');
  }
}
