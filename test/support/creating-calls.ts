import { openApi } from '../../api/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI text is read as what it is, a tree of JSON.
type Json = any;

/** A POST that makes a record, and what the OpenAPI text says of the calls beside it, each with the members that it names. */
export type CreatingCall = {
  id: string;
  path: string;
  /** Members of the body, and of the record in the answer. */
  taken: string[];
  shown: string[];
  /** Members that a change takes; null where there is no PATCH. */
  changed: string[] | null;
  /** Parameters of the list, and members of its items; null where no list is at the same path. */
  list: { parameters: string[]; shown: string[] } | null;
};

/**
 * Every POST that answers 201 with a record by declaration, from the text that describes all endpoints. A resumable upload
 * is made without: its standard tells where it is alone.
 */
export function creatingCalls(): CreatingCall[] {
  const { paths, components } = openApi() as Json;
  const calls = Object.entries<Json>(paths).filter(([, { post }]) => post?.responses[201]?.content);
  return calls.map(([path, { post, get }]) => {
    const one = memberOf(path, bodyOf(post.responses[201], components), components);
    const patch = Object.entries<Json>(paths).find(
      ([other, { patch }]) => patch && isRecordBelow(other, collectionOf(path, one.name)),
    )?.[1].patch;
    return {
      id: post.operationId,
      path,
      taken: namesOf(bodyOf(post.requestBody, components), components),
      shown: namesOf(one.schema, components),
      changed: patch ? namesOf(bodyOf(patch.requestBody, components), components) : null,
      list: get ? listOf(get, components) : null,
    };
  });
}

/** Where records of the answer are found: a credit note is made below its invoice and is found beside all others. */
function collectionOf(path: string, member: string): string {
  return member === 'credit_note' ? '/api/v1/credit-notes' : path;
}

function isRecordBelow(path: string, collection: string): boolean {
  return path.startsWith(`${collection}/{`) && !path.slice(collection.length + 1).includes('/');
}

function listOf(get: Json, components: Json): { parameters: string[]; shown: string[] } {
  const body = bodyOf(get.responses[200], components);
  const offset = resolved(body.oneOf?.[0] ?? body, components);
  const items = Object.values<Json>(offset.properties).find(({ type }) => type === 'array').items;
  const parameters = (get.parameters as Json[]).map((one) => pointedAt(one, components).name);
  return { parameters, shown: namesOf(items, components) };
}

/** What is made at a path that is named after what follows from it. */
const MADE_AT: Record<string, string> = { '/api/v1/attendance/leave-balances': 'leave_grant' };

/** The record in an answer, under its name: the one that the path is named after, where others stand beside it. */
function memberOf(path: string, body: Json, components: Json): { name: string; schema: Json } {
  const records = path.split('/').at(-1)!.replaceAll('-', '_');
  // A call that may go on in a job says first what it answers when it is done.
  const done = body.anyOf?.[0] ?? body;
  const members = Object.entries<Json>(done.properties);
  const made = members.find(([name]) => name === MADE_AT[path]);
  const [name, schema] =
    made ?? members.find(([name]) => records.startsWith(name.slice(0, -1))) ?? members[0]!;
  return { name, schema: resolved(schema, components) };
}

function bodyOf(content: Json, components: Json): Json {
  const { 'application/json': json, 'multipart/form-data': form } = content?.content ?? {};
  const schema = (json ?? form)?.schema;
  return schema ? resolved(schema, components) : { properties: {} };
}

function namesOf(schema: Json, components: Json): string[] {
  const { properties = {}, allOf = [], oneOf = [], anyOf = [] } = resolved(schema, components);
  const parts = [...allOf, ...oneOf, ...anyOf].flatMap((part) => namesOf(part, components));
  return [...Object.keys(properties), ...parts];
}

function resolved(schema: Json, components: Json): Json {
  return schema.$ref ? resolved(pointedAt(schema, components), components) : schema;
}

/** What a reference below `#/components` points to; what is none, as it is. */
function pointedAt(one: Json, components: Json): Json {
  if (!one.$ref) return one;
  const [kind, name] = one.$ref.split('/').slice(-2);
  return components[kind][name];
}
