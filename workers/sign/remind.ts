import type { z } from 'zod';
import { succeedJob } from '../../shared/platform/jobs/operations.ts';
import type { remindJob } from '../../shared/sign/reminders/jobs.ts';
import { mailReminders } from '../../shared/sign/reminders/mail.ts';
import type { Handler } from '../kernel/handler.ts';

/** Asks for the mails of claimed reminders, once: the receipt is written with them. */
export const remind: Handler<z.output<typeof remindJob.payload>> = async (asked, delivery) => {
  await delivery.settle(async (work) => {
    const mails = await mailReminders(work, asked);
    if (asked.job_id !== null) await succeedJob(work, asked.job_id, { mails });
  });
};
