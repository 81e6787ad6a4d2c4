import { z } from 'zod';

/**
 * A word of an answer, one of those that this release knows. Beside a newer release, during a deploy, the database may hold another one:
 * it is told as it is, where a closed list would make the whole answer a fault. For words that are told and decide nothing here.
 */
export function toldWord<Word extends string>(words: readonly Word[]): z.ZodType<Word> {
  return z.string().meta({ jsonSchema: { type: 'string', enum: [...words] } }) as unknown as z.ZodType<Word>;
}
