import { accessOf, isScope } from '../access.ts';
import type { Call } from './call.ts';
import { exampleOf } from './examples.ts';
import { formBodyOf } from './form.ts';
import { parametersOf } from './parameters.ts';
import { responsesOf } from './replies.ts';
import type { Shapes } from './shapes.ts';
import { tagOf } from './tags.ts';

/** One operation of the document. Throws for a call that does not say enough of itself. */
export function operationOf(call: Call, shapes: Shapes): object {
  if (!call.summary.trim()) throw new Error(`${call.id} has no summary`);
  const parameters = parametersOf(call, shapes);
  const access = accessOf(call);
  return {
    operationId: call.id,
    tags: [tagOf(call.id)],
    summary: call.summary,
    description: [call.description, call.filters && FORMS, access.sentence(call)]
      .filter(Boolean)
      .join('\n\n'),
    ...(isScope(call.scope) && { 'x-required-scope': call.scope }),
    ...(call.either_scope && { 'x-sufficient-scope': call.either_scope }),
    ...(call.domain_scope && { 'x-required-domain-scope': call.domain_scope }),
    ...(call.either_domain_scope && { 'x-sufficient-domain-scope': call.either_domain_scope }),
    security: access.security(call),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(call, shapes),
    responses: responsesOf(call, shapes),
  };
}

const FORMS =
  'Answers in one of three forms, chosen by the parameters that are sent: see [pagination](/docs/guides/pagination).';

function requestBodyOf(call: Call, shapes: Shapes): object {
  if (call.file) {
    const form = formBodyOf(call.id, call.file, shapes, call.together);
    return { requestBody: { ...form, content: { ...form.content, ...jsonOf(`${call.id}.or`, shapes) } } };
  }
  if (call.takes) return { requestBody: bytesOf(call.takes) };
  if (!call.body) return {};
  return { requestBody: { required: true, content: jsonOf(`${call.id}.body`, shapes) } };
}

/** A body in JSON, where that one is declared. */
function jsonOf(name: string, { inputs, components }: Shapes): object {
  const schema = inputs[name];
  if (!schema) return {};
  return {
    'application/json': { schema, example: exampleOf(schema, components, name.replace('.body', ' body')) },
  };
}

/** A body that is bytes, of any type where none is named. */
function bytesOf({ media_types = ['application/octet-stream'], description }: NonNullable<Call['takes']>) {
  const bytes = { schema: { type: 'string', format: 'binary' } };
  return { description, content: Object.fromEntries(media_types.map((type) => [type, bytes])) };
}
