import { z } from 'zod';
import { JobResource } from '../../shared/platform/jobs/record.ts';

/** The answer to a deletion. */
export const Deleted = z.strictObject({ success: z.literal(true) }).meta({ id: 'Deleted' });

export const deleted = { success: true } as const;

/** The answer that leaves work behind. */
export const JobReply = z.strictObject({ job: JobResource });
