import { UnreadableFile } from '../../../platform/readers/failure.ts';
import { CALDAV, type Multistatus, readMultistatus } from '../caldav/multistatus.ts';

/** The texts of calendars in a multistatus, with the resources that they are of. Refuses what is not one: `not_a_calendar`. */
export function calendarTextsOf(text: string): { resource: string; text: string }[] {
  return answered(text).responses.flatMap(({ href, properties }) => {
    const data = properties.get(`${CALDAV} calendar-data`);
    return data ? [{ resource: href, text: data.text }] : [];
  });
}

function answered(text: string): Multistatus {
  try {
    return readMultistatus(text);
  } catch {
    throw new UnreadableFile('not_a_calendar');
  }
}
