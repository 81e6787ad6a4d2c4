import { z } from 'zod';

const days = () =>
  z
    .int()
    .min(1)
    .max(30)
    .meta({ examples: [3] });

/** When signers are reminded, who have been asked and have not signed. Days and the hour are those of the signer's zone. */
export const Reminders = z
  .strictObject({
    enabled: z.boolean().meta({ examples: [true] }),
    first_after_days: days().describe('Days from being asked to the first reminder.'),
    every_days: days().describe('Days from one reminder to the next.'),
    max: z
      .int()
      .min(0)
      .max(15)
      .describe('Reminders that a signer gets at most.')
      .meta({ examples: [5] }),
    hour: z
      .int()
      .min(0)
      .max(23)
      .describe('At which hour of the day they are sent.')
      .meta({ examples: [9] }),
    skip_non_working: z
      .boolean()
      .describe('Whether Saturdays, Sundays and holidays of attendance wait for the next working day.')
      .meta({ examples: [true] }),
  })
  .meta({ id: 'SignReminders' });

export type Reminders = z.output<typeof Reminders>;

/** What is sent of reminders: what is left out stays as it is. */
export const RemindersChanges = Reminders.partial().meta({ id: 'SignRemindersChanges' });

export type RemindersChanges = z.output<typeof RemindersChanges>;

/** What an organization has that changed nothing. */
export const defaultReminders: Reminders = {
  enabled: true,
  first_after_days: 3,
  every_days: 3,
  max: 5,
  hour: 9,
  skip_non_working: true,
};
