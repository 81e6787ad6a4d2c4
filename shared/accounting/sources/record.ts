import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { Journal, JournalLine } from '../journals/record.ts';

/** The entry of a record, as it was made or would be: one that is not kept has no ID, nor have its lines. */
export const JournalOfRecord = z
  .strictObject({
    ...Journal.shape,
    id: id('je').nullable().describe('null in a preview.'),
    lines: z.array(
      z
        .strictObject({ ...JournalLine.shape, id: id('jel').nullable().describe('null in a preview.') })
        .meta({ id: 'JournalLineOfRecord' }),
    ),
  })
  .meta({ id: 'JournalOfRecord' });

export type JournalOfRecord = z.output<typeof JournalOfRecord>;
