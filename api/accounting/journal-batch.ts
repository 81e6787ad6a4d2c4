import { z } from 'zod';
import { journalBatch } from '../../shared/accounting/journals/batches.ts';
import { createManyJournals, MOST_ENTRIES } from '../../shared/accounting/journals/create-many.ts';
import { Journal, JournalInput } from '../../shared/accounting/journals/record.ts';
import type { FailureCode } from '../../shared/kernel/failures.ts';
import { addFault } from '../../shared/kernel/schema.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { requireScopes } from '../http/authorize.ts';
import { batchOf } from '../http/batches.ts';
import { Answer } from '../http/declaration.ts';
import { type Endpoint, type WriteEndpoint, write } from '../http/endpoint.ts';
import type { ListEndpoint } from '../http/list.ts';

const BODY_LIMITS = { bytes: 8 * 1024 ** 2, values: 1_000_000 };

const entries = {
  journals: z
    .array(JournalInput.omit({ post: true }))
    .min(1)
    .max(MOST_ENTRIES)
    .describe('In the place of `action`: entries that are made in this order, all or none.')
    .optional(),
  post: z.boolean().describe('With `journals`: true posts them in the same commit.').optional(),
};

/** The call that makes many entries, or does one thing to many of a list. */
export function journalBatchOf(list: ListEndpoint, raises: readonly FailureCode[]): Endpoint {
  const doing = batchOf(list, journalBatch) as WriteEndpoint;
  const { action, ...chosen } = (doing.body as z.ZodObject).shape;
  return write({
    ...doing,
    summary: 'Make many entries, or do one thing to many',
    description:
      `\`journals\` has 1 to ${MOST_ENTRIES} entries, which are made in their order, all or none (\`accounting:write\`, ` +
      '201); a fault is told at its place, `/journals/3/lines/1/debit`. In its place `action` names what is done, as a ' +
      `job (202). ${doing.description}`,
    body: z
      .strictObject({ ...entries, action: (action as z.ZodType).optional(), ...(chosen as z.ZodRawShape) })
      .superRefine((body, issues) => {
        const isMaking = body.journals !== undefined;
        if (isMaking === (body['action'] !== undefined)) {
          addFault(issues, isMaking ? 'action' : 'journals', isMaking ? 'not_allowed' : 'required', {
            en: isMaking ? 'cannot stand beside journals' : 'or action is required',
            ja: isMaking ? 'は journals と一緒に指定できません' : 'または action を指定してください',
          });
        }
        if (!isMaking && body.post !== undefined) {
          addFault(issues, 'post', 'not_allowed', {
            en: 'belongs to journals',
            ja: 'は journals と一緒に指定してください',
          });
        }
      }),
    body_limits: BODY_LIMITS,
    status: 201,
    also: [202],
    reply: z.union([z.strictObject({ journals: z.array(Journal) }), z.strictObject({ job: JobResource })]),
    raises: [...new Set([...(doing.raises ?? []), ...raises])],
    async handle(input, work) {
      const { journals, post = false } = input.body;
      if (journals === undefined) return new Answer(202, (await doing.handle(input as never, work)) as never);
      requireScopes(work.actor, ['accounting:write']);
      return new Answer(201, { journals: await createManyJournals(work, journals, post) });
    },
  });
}
