import { z } from 'zod';

const MOST = 10_000_000;

const most = () =>
  z
    .int()
    .min(1)
    .max(MOST)
    .nullable()
    .meta({ examples: [null] });

const limits = {
  per_second: most().describe('Mails a second, evenly spaced; null: no limit.'),
  per_hour: most().describe('Mails in any hour.'),
  per_day: most().describe('Mails in any 24 hours.'),
};

/** How fast mails leave. */
export const MailThrottle = z.strictObject(limits).meta({ id: 'MailThrottle' });

export type MailThrottle = z.output<typeof MailThrottle>;

/** The same as a request sends it: merged by key into what is there. */
export const MailThrottleChanges = z.strictObject(limits).partial().meta({ id: 'MailThrottleChanges' });

export const UNTHROTTLED: MailThrottle = { per_second: null, per_hour: null, per_day: null };
