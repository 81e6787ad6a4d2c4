import { z } from 'zod';
import { idByKey } from '../../shared/db/look-ups.ts';
import { Failure, type FieldError, invalidAll } from '../../shared/kernel/failure.ts';
import { externalId } from '../../shared/kernel/own-keys.ts';
import type { RecordKind } from '../../shared/kernel/record-kind.ts';
import type { Scope } from '../../shared/kernel/scope.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { Answer } from './declaration.ts';
import { write } from './endpoint.ts';

const EFFECT =
  'Makes the record (201) where none has this ID of yours, as POST does; changes it (200) where one has, as PATCH ' +
  'does. The ID is percent-encoded in the path; the body may repeat it. The ID that a merged record had changes the ' +
  'one that stayed. Requests at the same time make one record.';

type Upsert<Sent extends { external_id?: string | null }, Shown extends { id: string }> = {
  id: string;
  path: string;
  scope: Scope;
  summary: string;
  description?: string;
  /** What the records are looked up by. */
  kind: RecordKind;
  /** What a change may hold: the body. */
  patch: z.ZodType<Sent>;
  /** What a new record is made from: its required fields are asked for where there is none yet. */
  input: z.ZodObject;
  reply: z.ZodType;
  raises?: Parameters<typeof write>[0]['raises'];
  create(work: Work, input: Sent & { external_id: string }): Promise<Shown>;
  update(work: Work, id: string, patch: Sent): Promise<Shown>;
  /** The record under its name. */
  show(record: Shown): object;
};

/** The call that makes or changes the record that has an ID of the client's own. */
export function upsert<Sent extends { external_id?: string | null }, Shown extends { id: string }>(
  declaration: Upsert<Sent, Shown>,
) {
  const {
    id,
    path,
    scope,
    summary,
    description,
    kind,
    patch,
    input,
    reply,
    raises = [],
    ...does
  } = declaration;
  const collection = path.replace(/\/by-external-id\/:external_id$/, '');
  return write({
    id,
    method: 'put',
    path,
    scope,
    summary,
    description: description ? `${EFFECT} ${description}` : EFFECT,
    params: z.object({
      external_id: z
        .string()
        .describe('Your own ID of the record.')
        .meta({ examples: ['K-1024'] }),
    }),
    body: patch,
    reply,
    also: [201],
    raises: [...new Set([...raises, 'already_exists' as const])],
    handle: async ({ params, body }, work) => {
      const external_id = requireSame(params.external_id, body.external_id);
      const found = await idByKey(work, kind, 'external_id', external_id);
      if (!found) {
        const record = await makeNew(work, kind, { ...body, external_id }, input, does.create);
        return new Answer(201, does.show(record), { Location: `${collection}/${record.id}` });
      }
      const { external_id: _, ...changes } = body;
      return does.show(await orAgain(does.update(work, found.id, changes as Sent)));
    },
  });
}

/** Errors: `validation_failed` for an ID that none can be, and for a body that says another one. */
function requireSame(given: string, repeated: string | null | undefined): string {
  const read = externalId().safeParse(given);
  if (!read.success) {
    const message = {
      en: 'external_id must have 1 to 255 characters and no commas',
      ja: 'external_id は1文字以上255文字以内で、カンマは使えません',
    };
    throw invalidAll([{ in: 'path', path: 'external_id', code: 'invalid_value', message }]);
  }
  if (repeated === undefined || repeated === read.data) return read.data;
  const message = {
    en: 'external_id must be the one of the path',
    ja: 'external_id はパスのものと同じでなければなりません',
  };
  throw invalidAll([{ in: 'body', path: '/external_id', code: 'invalid_value', message }]);
}

/** Another request may make it at the same time: then this one runs again, and changes it. */
async function makeNew<Sent, Shown>(
  work: Work,
  { table }: RecordKind,
  body: Sent,
  { shape }: z.ZodObject,
  create: (work: Work, input: Sent) => Promise<Shown>,
): Promise<Shown> {
  if (work.revisions !== null) throw new Failure('precondition_failed');
  const missing = Object.entries(shape).flatMap(([name, schema]): FieldError[] => {
    const isGiven = (body as Record<string, unknown>)[name] !== undefined;
    if (isGiven || (schema as z.ZodType).safeParse(undefined).success) return [];
    return [
      {
        in: 'body',
        path: `/${name}`,
        code: 'required',
        message: { en: `${name} is required`, ja: `${name}は必須です` },
      },
    ];
  });
  if (missing.length > 0) throw invalidAll(missing);
  work.repeatOn(`${table}_external_id_once`);
  return create(work, body);
}

const SERIALIZATION_FAILURE = '40001';

/** A record that was removed or merged since it was found: the request runs again, and finds what has the ID now. */
async function orAgain<Shown>(updating: Promise<Shown>): Promise<Shown> {
  try {
    return await updating;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
    throw Object.assign(new Error('The record went at this moment', { cause: error }), {
      code: SERIALIZATION_FAILURE,
    });
  }
}
