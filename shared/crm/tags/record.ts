import { z } from 'zod';
import { id } from '../../kernel/schema.ts';

/** A tag as the record that carries it shows it. */
export const TagLabel = z
  .strictObject({
    id: id('tag'),
    name: z.string().meta({ examples: ['重要'] }),
    color: z.string().meta({ examples: ['#6B7280'] }),
  })
  .meta({ id: 'TagLabel' });

export type TagLabel = z.output<typeof TagLabel>;
