import { z } from 'zod';

/** The answer to a deletion. */
export const Deleted = z.strictObject({ success: z.literal(true) }).meta({ id: 'Deleted' });

export const deleted = { success: true } as const;
