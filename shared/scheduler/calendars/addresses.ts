import { z } from 'zod';
import { says } from '../../kernel/language.ts';
import { freeText } from '../../kernel/schema.ts';

/** The address of a calendar, in the one form that it is kept in. `webcal` is how programs name feeds of https. */
function calendarUrl(example: string) {
  return freeText(2_000)
    .transform((text) => text.trim().replace(/^webcals?:/i, 'https:'))
    .refine((text) => /^https?:/i.test(text) && URL.canParse(text), {
      params: { code: 'invalid_value' },
      error: says({
        en: 'must be an address that begins with https://',
        ja: 'にはhttps://で始まるアドレスを指定してください',
      }),
    })
    .transform((text) => new URL(text).href)
    .meta({ examples: [example] });
}

/** A feed of iCalendar. */
export const FeedAddress = z
  .strictObject({ url: calendarUrl('https://calendar.example.com/hanako/basic.ics') })
  .meta({ id: 'CalendarFeedAddress' });

/** An account on a server of CalDAV. */
export const CalendarAccount = z
  .strictObject({
    url: calendarUrl('https://caldav.example.com/'),
    username: freeText(320)
      // Basic credentials have a colon after the name (RFC 7617).
      .regex(
        /^[^:\r\n]+$/,
        says({ en: 'must be a name without a colon', ja: 'にはコロンを含まない名前を指定してください' }),
      )
      .meta({ examples: ['hanako.yamada@example.co.jp'] }),
    password: freeText(1_000)
      .min(1)
      .describe('Best one for this service alone, where the server gives such. It is in no answer.')
      .meta({ examples: ['abcd-efgh-ijkl-mnop'] }),
  })
  .meta({ id: 'CalendarAccount' });

export type CalendarAccount = z.output<typeof CalendarAccount>;
