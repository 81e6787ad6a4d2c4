import { z } from 'zod';
import { id } from '../../kernel/schema.ts';
import { ShownAmount } from '../deal-amount.ts';
import { Deal } from '../deals/record.ts';
import { Stage } from '../pipelines/record.ts';

const BoardStage = z
  .strictObject({
    stage: Stage,
    deals: z.array(Deal).describe('The uppermost ones, in their order.'),
    count: z.int().describe('All deals of the stage.'),
    totals: z
      .array(
        z.strictObject({
          currency: z.string().meta({ examples: ['JPY'] }),
          amount: ShownAmount,
          weighted_amount: ShownAmount,
        }),
      )
      .describe('What all deals of the stage come to.'),
  })
  .meta({ id: 'BoardStage' });

/** A pipeline as people look at it: its stages side by side, the deals in each from top to bottom. */
export const Board = z
  .strictObject({ pipeline_id: id('pipe'), stages: z.array(BoardStage) })
  .meta({ id: 'Board' });

export type Board = z.output<typeof Board>;
