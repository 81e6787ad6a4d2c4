import { z } from 'zod';
import { invalidAll } from '../../shared/kernel/failure.ts';
import { id } from '../../shared/kernel/schema.ts';
import type { Batch } from '../../shared/platform/batches/batch.ts';
import { requestBatch } from '../../shared/platform/batches/operations.ts';
import { MOST_RECORDS } from '../../shared/platform/batches/selection.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { requireScopes } from './authorize.ts';
import { type Endpoint, write } from './endpoint.ts';
import { fieldErrorsOf } from './field-errors.ts';
import type { ListEndpoint } from './list.ts';
import { selectedIds, selectionFields } from './selection.ts';

/**
 * The call that does one thing to many records of a list: a POST below its path, which takes the name of a single call's
 * action and what that one's body takes. It asks for the action's scope, and with a filter for the list's.
 */
export function batchOf(list: ListEndpoint, batch: Batch): Endpoint {
  const { actions, name, prefix } = batch;
  const names = Object.keys(actions);
  return write({
    id: `${name}.batch`,
    method: 'post',
    path: `${list.path}/batch`,
    scope: 'any',
    summary: `Do one thing to many ${name.split('.')[1]!.replaceAll('_', ' ')}`,
    description: descriptionOf(batch),
    body: z
      .strictObject({
        action: z.enum(names).describe("The last word of the single call's path."),
        ...selectionFields(list, prefix),
        ...membersOf(batch),
      })
      .meta({ examples: [{ action: names[0], ids: id(prefix).meta()!['examples'] }] }),
    status: 202,
    reply: z.strictObject({ job: JobResource }),
    raises: ['insufficient_scope', 'too_many'],
    async handle({ body, mail_limits }, work) {
      const { action, ids, filter, ...members } = body as Asked;
      const { scope, body: Body } = actions[action]!;
      requireScopes(work.actor, [scope, ...(filter ? [list.scope as typeof scope] : [])]);
      const parsed = (Body ?? z.strictObject({})).safeParse(members);
      if (!parsed.success) throw invalidAll(fieldErrorsOf(parsed.error, 'body', members));
      const chosen = await selectedIds(work, batch.list, { ids, filter });
      return { job: requestBatch(work, batch, { action, ids: chosen, body: members, mail_limits }) };
    },
  });
}

type Asked = { action: string; ids?: string[]; filter?: Record<string, unknown> };

/** What the bodies of the actions take, all optional: what is missing or too much is told once the action is known. */
function membersOf({ actions }: Batch): Record<string, z.ZodType> {
  const schemas = new Map<string, Set<z.ZodType>>();
  for (const { body } of Object.values(actions)) {
    if (!(body instanceof z.ZodObject)) continue;
    for (const [name, schema] of Object.entries(body.shape as Record<string, z.ZodType>)) {
      schemas.set(name, (schemas.get(name) ?? new Set()).add(schema));
    }
  }
  return Object.fromEntries(
    [...schemas].map(([name, [first, ...others]]) => {
      return [name, (others.length > 0 ? z.union([first!, ...others]) : first!).optional()];
    }),
  );
}

function descriptionOf({ actions }: Batch): string {
  const taken = Object.entries(actions)
    .map(([name, { scope, body }]) => {
      const members = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
      const withMembers = members.length > 0 ? ` with ${members.map((one) => `\`${one}\``).join(', ')}` : '';
      return `\`${name}\` (\`${scope}\`)${withMembers}`;
    })
    .join('; ');
  return (
    `To the records in \`ids\`, or to those that \`filter\` leaves, ${MOST_RECORDS} at most: more are refused as ` +
    '`too_many`. Each is changed by itself, in order, as its single call would change it, on behalf of who asked and with ' +
    "what they may do by then. The job's result counts `succeeded`, `failed` and `not_done`, and lists as `entries` each " +
    "record's `id`, the `status` that the single call would have answered, and its `code` where it is a refusal. When " +
    'the job is cancelled, what was done stays, and the rest has the code `cancelled` and no status. ' +
    `Actions, each with the scope that it needs: ${taken}.`
  );
}
