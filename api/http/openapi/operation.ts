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
  return {
    operationId: call.id,
    tags: [tagOf(call.id)],
    summary: call.summary,
    description: [call.description, call.filters && FORMS, whoMayCall(call)].filter(Boolean).join('\n\n'),
    ...(isScope(call.access) && { 'x-required-scope': call.access }),
    ...(call.domain_scope && { 'x-required-domain-scope': call.domain_scope }),
    security: securityOf(call),
    ...(parameters.length > 0 && { parameters }),
    ...requestBodyOf(call, shapes),
    responses: responsesOf(call, shapes),
  };
}

const FORMS =
  'Answers in one of three forms, chosen by the parameters that are sent: see [pagination](/docs/guides/pagination).';

function requestBodyOf(call: Call, shapes: Shapes): object {
  if (call.file) return { requestBody: formBodyOf(call.id, call.file, shapes) };
  if (!call.body) return {};
  const schema = shapes.inputs[`${call.id}.body`]!;
  const example = exampleOf(schema, shapes.components, `${call.id} body`);
  return { requestBody: { required: true, content: { 'application/json': { schema, example } } } };
}

function whoMayCall({ access, domain_scope, session }: Call): string {
  if (access === 'public') return 'Needs no credentials.';
  if (access === 'visitor') return 'Needs no credentials; a session is noticed.';
  if (access === 'account') return 'Needs a signed-in person.';
  const who = session ? ', and a signed-in person: API keys cannot do this' : '';
  if (access === 'any') return `Needs credentials of any scope${who}.`;
  const needed = domain_scope ? `scopes \`${access}\` and \`${domain_scope}\`` : `scope \`${access}\``;
  return `Needs the ${needed}${who}.`;
}

function securityOf({ access, session }: Call): object[] {
  if (access === 'public') return [];
  if (access === 'visitor') return [{}, { session: [] }];
  if (session || access === 'account') return [{ session: [] }];
  return [{ api_key: [] }, { session: [] }];
}

function isScope(access: Call['access']): boolean {
  return access.includes(':');
}
