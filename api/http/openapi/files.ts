import type { Call } from './call.ts';
import { exampleOf } from './examples.ts';
import { headerRefs } from './problems.ts';
import type { Shapes } from './shapes.ts';

/** What an answer with a file carries. */
export const FILE_HEADERS = ['Last-Modified', 'Accept-Ranges', 'Content-Disposition'];

const ALWAYS = ['Request-Id', 'Service-Version', 'RateLimit', 'RateLimit-Policy'];

/** A stream that has sent everything: 204 keeps a browser from coming again (HTML, server-sent events). */
export const NOTHING_NEW = {
  description: 'Nothing has come after `Last-Event-ID`, and nothing will.',
  headers: headerRefs(ALWAYS),
};

/** The bodies of an answer that may be a file of these types. */
export function fileContent(media_types: readonly string[]): Record<string, object> {
  return Object.fromEntries(
    media_types.map((media_type) => [media_type, { schema: { type: 'string', format: 'binary' } }]),
  );
}

/** The further successes of a call that answers a file: a part of it, or the job that makes it. */
export function fileResponses(call: Call, shapes: Shapes): Record<string, object> {
  if (!call.media_types) return {};
  const part = {
    description: 'The part of the file that Range asks for.',
    headers: headerRefs([...ALWAYS, 'ETag', ...FILE_HEADERS, 'Content-Range']),
    content: fileContent(call.media_types),
  };
  return { 206: part, ...(call.job && { 202: accepted(call, shapes) }) };
}

function accepted({ id }: Call, shapes: Shapes): object {
  const schema = shapes.outputs[`${id}.job`]!;
  const example = exampleOf(schema, shapes.components, `${id} job`);
  return {
    description: 'A worker makes the file: the job tells when it is there, and `GET` again answers it.',
    headers: headerRefs([...ALWAYS, 'ETag', 'Location', 'Preference-Applied']),
    content: { 'application/json': { schema, example } },
  };
}

/** The body of a stream of server-sent events; the schemas of their data stand in `x-events`. */
export function streamContent({ id, events = {} }: Call, shapes: Shapes): object {
  const schemas = Object.keys(events).map((name) => [name, shapes.outputs[`${id}.events.${name}`]!] as const);
  const example = schemas
    .map(([name, schema]) => {
      const data = exampleOf(schema, shapes.components, `${id} ${name}`);
      return `id: mnf0v2o0.running\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    })
    .join('');
  return { schema: { type: 'string' }, example, 'x-events': Object.fromEntries(schemas) };
}
