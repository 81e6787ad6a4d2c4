import { type Call, isText } from './call.ts';
import { exampleOf } from './examples.ts';
import { FILE_HEADERS, fileContent, fileResponses, NOTHING_NEW, streamContent } from './files.ts';
import type { JsonSchema } from './json-schema.ts';
import { headerRefs, problemResponses } from './problems.ts';
import { resolved, type Shapes } from './shapes.ts';

/** The responses of a call by status: success in its forms, 304, and each documented error. */
export function responsesOf(call: Call, shapes: Shapes): Record<string, object> {
  if (call.failures.length === 0) throw new Error(`${call.id} documents no error`);
  const success = {
    description: describe(call, call.status),
    headers: { ...headerRefs(headersOf(call, call.status)), ...toldHeaders(call) },
    ...(!isBare(call) && { content: contentOf(call, shapes) }),
  };
  const others = call.also.map((status) => [
    status,
    {
      ...success,
      description: describe(call, status),
      headers: { ...headerRefs(headersOf(call, status)), ...toldHeaders(call) },
    },
  ]);
  const unchanged = call.house && call.method === 'get' && !call.events ? { 304: NOT_MODIFIED } : {};
  return {
    [call.status]: success,
    ...Object.fromEntries(others),
    ...(call.redirects_browsers && { 302: SENT_TO_PAGE }),
    ...(call.scope === 'organization' && { 308: MOVED }),
    ...fileResponses(call, shapes),
    ...(call.events && { 204: NOTHING_NEW }),
    ...unchanged,
    ...problemResponses(call.failures),
  };
}

/** Whether headers alone are answered. */
function isBare({ reply, media_types, events }: Call): boolean {
  return !reply && !media_types && !events;
}

/** Headers that one call tells. */
function toldHeaders({ tells = {} }: Call): Record<string, object> {
  return Object.fromEntries(
    Object.entries(tells).map(([name, { description, example }]) => [
      name,
      { description, schema: { type: 'string' }, example },
    ]),
  );
}

const NOT_MODIFIED = {
  description: 'The answer is the one that If-None-Match names.',
  headers: headerRefs(['Request-Id', 'Service-Version', 'ETag']),
};

const SENT_TO_PAGE = {
  description: 'The request prefers HTML to JSON by its `Accept` header: `Location` is the page of the link.',
  headers: headerRefs(['Request-Id', 'Service-Version', 'RateLimit', 'RateLimit-Policy', 'Location']),
};

const MOVED = {
  description: 'The organization has another slug by now: `Location` is the same path with that one.',
  headers: headerRefs(['Request-Id', 'Service-Version', 'RateLimit', 'RateLimit-Policy', 'Location']),
};

const DESCRIPTIONS: Record<number, string> = {
  200: 'Done.',
  201: 'Created; `Location` says where it is found.',
  204: 'Done; there is nothing to show but the headers.',
  202: 'Accepted: the work goes on, and the job tells how far it is.',
  301: 'The record was merged into another one, which is shown; `Location` says where it is found.',
  308: 'It has another address by now: `Location` says which.',
  302: 'Elsewhere, as `Location` says.',
  303: 'Done; `Location` is where the caller wanted to go on.',
};

function describe(call: Call, status: number): string {
  if (status === 200 && call.filters) return 'The records, in the form that the parameters ask for.';
  if (status === 200 && call.method === 'get') return 'Found.';
  const description = DESCRIPTIONS[status];
  if (!description) throw new Error(`No sentence says what ${status} means`);
  return description;
}

function headersOf(call: Call, status: number): string[] {
  const isPlaced = [201, 301, 302, 303, 308].includes(status);
  return [
    'Request-Id',
    'Service-Version',
    ...(call.house && !call.events && !isBare(call) ? ['ETag'] : []),
    ...(call.house ? ['RateLimit', 'RateLimit-Policy'] : []),
    ...(call.media_types ? FILE_HEADERS : []),
    ...(isPlaced ? ['Location'] : []),
    ...(call.repeatable ? ['Idempotency-Replayed'] : []),
  ];
}

function contentOf(call: Call, shapes: Shapes): Record<string, object> {
  if (call.events) return { 'text/event-stream': streamContent(call, shapes) };
  const { reply, media_types } = call;
  const files = fileContent(media_types ?? []);
  if (!reply) return files;
  if (isText(reply)) return { [reply.media_type]: { schema: { type: 'string' }, example: reply.example } };
  const schema = shapes.outputs[`${call.id}.reply`]!;
  if (call.filters) return { 'application/json': listContent(call, schema, shapes), ...files };
  const composed = exampleOf(schema, shapes.components, `${call.id} reply`);
  return { 'application/json': { schema, example: shownInstead(composed, call.example) }, ...files };
}

/** An example in which some members are in another state: that which the call leads to. */
function shownInstead(composed: unknown, instead: Call['example'] = {}): unknown {
  const shown: Record<string, unknown> = { ...(composed as object) };
  for (const [name, fields] of Object.entries(instead)) {
    shown[name] = { ...(shown[name] as object), ...fields };
  }
  return shown;
}

const FORMS = ['offset', 'page', 'cursor'] as const;

const FORM_TITLES = { offset: 'By offset', page: 'By page', cursor: 'By cursor' };

/** The three forms of a list, each with its example; `oneOf`, for an answer never has two of them. */
function listContent(call: Call, schema: JsonSchema, shapes: Shapes): object {
  const forms = schema.anyOf ?? [];
  if (forms.length !== FORMS.length) throw new Error(`${call.id}: a list answers in ${FORMS.length} forms`);
  const oneOf = FORMS.map((form, index) => ({ title: FORM_TITLES[form], ...forms[index]! }));
  const items = itemsExample(call, oneOf[0]!, shapes);
  const values = {
    offset: { items, total: 1, limit: 50, offset: 0 },
    page: { data: items, pagination: { page: 1, per_page: 50, total: 1, total_pages: 1 } },
    cursor: { data: items, has_more: false },
  };
  const examples = FORMS.map((form) => [form, { summary: FORM_TITLES[form], value: values[form] }]);
  return { schema: { oneOf }, examples: Object.fromEntries(examples) };
}

function itemsExample(call: Call, form: JsonSchema, shapes: Shapes): unknown {
  const items = resolved(form, shapes.components).properties?.items;
  return items && exampleOf(items, shapes.components, `${call.id} reply`);
}
