import { z } from 'zod';
import { idByKey } from '../../shared/db/look-ups.ts';
import { Failure, invalidAll } from '../../shared/kernel/failure.ts';
import { externalId } from '../../shared/kernel/own-keys.ts';
import type { RecordKind } from '../../shared/kernel/record-kind.ts';
import type { Scope } from '../../shared/kernel/scope.ts';
import type { Work } from '../../shared/kernel/work.ts';
import { Answer } from './declaration.ts';
import { write } from './endpoint.ts';
import { fieldErrorsOf } from './field-errors.ts';

const EFFECT =
  'Makes the record (201) where none has this ID of yours, as POST does; changes it (200) where one has, as PATCH ' +
  'does. The ID is percent-encoded in the path; the body may repeat it. The ID that a merged record had changes the ' +
  'one that stayed. Requests at the same time make one record. The IDs `.` and `..` cannot stand in a path, percent-encoded ' +
  'neither: URL parsers take them for steps. Records that have them are changed by PATCH.';

type Upsert<Sent extends { external_id?: string | null }, Given, Shown extends { id: string }> = {
  id: string;
  path: string;
  scope: Scope;
  summary: string;
  description?: string;
  /** What the records are looked up by. */
  kind: RecordKind;
  /** What a change may hold: the body. */
  patch: z.ZodType<Sent>;
  /** What a new record is made from: where there is none yet, the body is checked as one. */
  input: z.ZodType<Given>;
  reply: z.ZodType;
  raises?: Parameters<typeof write>[0]['raises'];
  create(work: Work, input: Given): Promise<Shown>;
  update(work: Work, id: string, patch: Sent): Promise<Shown>;
  /** The record under its name. */
  show(record: Shown): object;
};

/** The call that makes or changes the record that has an ID of the client's own. */
export function upsert<Sent extends { external_id?: string | null }, Given, Shown extends { id: string }>(
  declaration: Upsert<Sent, Given, Shown>,
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
      const find = () => idByKey(work, kind, 'external_id', external_id);
      const found = (await find()) ?? (await afterOthers(work, kind, external_id, find));
      if (!found) {
        const given = checked(input, { ...body, external_id });
        const record = await makeNew(work, kind, external_id, () => does.create(work, given));
        return new Answer(201, does.show(record), { Location: `${collection}/${record.id}` });
      }
      const { external_id: _, ...changes } = body;
      const isThere = () => leadsTo(work, kind, external_id, found.id);
      return does.show(await orAgain(does.update(work, found.id, changes as Sent), isThere));
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

/**
 * Looks again after requests that make a record with the same ID at this moment. Each then changes what the first one
 * made; without the lock a key that they share besides, such as a corporate number, would refuse the others.
 */
async function afterOthers<Found>(
  work: Work,
  { prefix }: RecordKind,
  external_id: string,
  find: () => Promise<Found>,
): Promise<Found> {
  const name = `${work.organization_id} ${prefix} ${external_id}`;
  await work.connection.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  return find();
}

/** The body as what a new record is made from, with the defaults of that. Errors: `validation_failed`. */
function checked<Given>(input: z.ZodType<Given>, body: object): Given {
  const result = input.safeParse(body);
  if (result.success) return result.data;
  throw invalidAll(fieldErrorsOf(result.error, 'body', body));
}

/**
 * Another request may make the record at the same time: then this one runs again, and changes it. Some operations are
 * told by the database at the end that the key is taken, others look themselves.
 */
async function makeNew<Shown>(
  work: Work,
  kind: RecordKind,
  external_id: string,
  create: () => Promise<Shown>,
): Promise<Shown> {
  if (work.revisions !== null) throw new Failure('precondition_failed');
  work.repeatOn(`${kind.table}_external_id_once`);
  try {
    return await create();
  } catch (error) {
    if (!isFailure(error, 'already_exists')) throw error;
    throw (await idByKey(work, kind, 'external_id', external_id)) ? runAgain(error) : error;
  }
}

/**
 * A record that was removed or merged since it was found: the request runs again, and finds what has the ID now. Where
 * the ID leads to it still, something else is not found, which running again would not change.
 */
async function orAgain<Shown>(updating: Promise<Shown>, isThere: () => Promise<boolean>): Promise<Shown> {
  try {
    return await updating;
  } catch (error) {
    if (!isFailure(error, 'not_found')) throw error;
    throw (await isThere()) ? error : runAgain(error);
  }
}

async function leadsTo(work: Work, kind: RecordKind, external_id: string, id: string): Promise<boolean> {
  const found = await idByKey(work, kind, 'external_id', external_id);
  return found?.id === id;
}

function isFailure(error: unknown, code: Failure['code']): error is Failure {
  return error instanceof Failure && error.code === code;
}

const SERIALIZATION_FAILURE = '40001';

/** What has the transaction run once more from its beginning. */
function runAgain(cause: Failure): Error {
  const message = 'The record was made or went at this moment';
  return Object.assign(new Error(message, { cause }), { code: SERIALIZATION_FAILURE });
}
