import type { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { type Call, callOfEndpoint, callOfPlain, isText, type PlainCall } from './call.ts';
import { inOrder } from './failures.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { operationOf } from './operation.ts';
import { listParameters } from './parameters.ts';
import { Problem, problemExamples } from './problems.ts';
import { collectShapes, type Shapes } from './shapes.ts';
import { describedTags, tagOf } from './tags.ts';

export type Sources = {
  endpoints: readonly Endpoint[];
  /** Calls that are not endpoint values. */
  extraPaths: readonly PlainCall[];
  /** The latest version of the API. */
  version: string;
  /** What the API is, for the head of the document, in Markdown. */
  description: string;
};

/**
 * The OpenAPI 3.1 text of the whole API. Throws for an endpoint without a summary, without a derivable example of its
 * body or reply, or without documented errors.
 */
export function openApiDocument(sources: Sources) {
  const calls = [...sources.endpoints.map(callOfEndpoint), ...sources.extraPaths.map(callOfPlain)];
  const shapes = shapesOf(calls);
  const lists = calls.filter(({ filters }) => filters);
  const used = new Set(calls.map(({ id }) => tagOf(id)));
  const shared: Record<string, object> = {};
  return {
    openapi: '3.1.0',
    info: {
      title: 'Business Operations Service API',
      version: sources.version,
      summary: "One HTTP/JSON API for a company's back office",
      description: sources.description,
      contact: { name: 'The operator of this service' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The service that this text comes from' }],
    ...describedTags(used),
    security: [{ api_key: [] }, { session: [] }],
    paths: pathsOf(calls, shapes, shared),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: shapes.components,
      parameters: { ...requestHeaders, ...listParameters(lists, shapes) },
      headers: responseHeaders,
      responses: shared,
      examples: problemExamples(inOrder(calls.flatMap((call) => call.failures))),
    },
  };
}

export type OpenApi = ReturnType<typeof openApiDocument>;

const SECURITY_SCHEMES = {
  api_key: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key as `Authorization: Bearer sk_...`. What it may do is said by its scopes, within the present role of the member who made it.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'service.session_token',
    description:
      'The cookie of a signed-in person (on https its name begins with `__Host-`). What they may do is said by their role in the active organization.',
  },
};

function shapesOf(calls: readonly Call[]): Shapes {
  const inputs: Record<string, z.ZodType> = {};
  const outputs: Record<string, z.ZodType> = { problem: Problem };
  const known = new Set<string>();
  for (const { id, params, query, body, or, reply, job, events = {} } of calls) {
    if (known.has(id)) throw new Error(`Two endpoints are called ${id}`);
    known.add(id);
    if (params) inputs[`${id}.params`] = params;
    if (query) inputs[`${id}.query`] = query;
    if (body) inputs[`${id}.body`] = body;
    if (or) inputs[`${id}.or`] = or;
    if (reply && !isText(reply)) outputs[`${id}.reply`] = reply;
    if (job) outputs[`${id}.job`] = job;
    for (const [name, data] of Object.entries(events)) outputs[`${id}.events.${name}`] = data;
  }
  return collectShapes(inputs, outputs);
}

/** A path as OpenAPI writes it, which has no sign for a path's rest. */
export function templateOf(path: string): string {
  return path.replace(/[:*](\w+)/g, '{$1}');
}

function pathsOf(calls: readonly Call[], shapes: Shapes, shared: Record<string, object>) {
  const paths: Record<string, Record<string, object>> = {};
  const faults: string[] = [];
  for (const call of calls) {
    const path = templateOf(call.path);
    try {
      paths[path] ??= {};
      paths[path][call.method] = withSharedResponses(operationOf(call, shapes), shared);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return paths;
}

type Responses = Record<string, { description: string; content?: Record<string, { examples?: object }> }>;

/** Errors look the same in hundreds of calls: each set of codes stands once, named by its codes. */
function withSharedResponses(operation: object, shared: Record<string, object>): object {
  const { responses } = operation as { responses: Responses };
  const pointed = Object.entries(responses).map(([status, response]) => {
    const codes = Object.keys(response.content?.['application/problem+json']?.examples ?? {});
    if (codes.length === 0) return [status, response];
    const name = codes.join('.');
    shared[name] ??= response;
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return { ...operation, responses: Object.fromEntries(pointed) };
}
