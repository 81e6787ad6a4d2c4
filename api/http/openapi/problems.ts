import { z } from 'zod';
import { failures, shownCode } from '../../../shared/domains.ts';
import type { FailureCode } from '../../../shared/kernel/failures.ts';
import type { JsonSchema } from './json-schema.ts';

/** The body of an error. Further members tell what a code promises, for example `required_scope`. */
export const Problem = z
  .looseObject({
    type: z
      .string()
      .meta({ format: 'uri-reference', examples: ['/docs/errors#not_found'] })
      .describe('Where the code is explained.'),
    title: z.string().describe('What went wrong, the same sentence for every request.'),
    status: z.int().describe('The HTTP status.'),
    code: z.string().describe('For programs: one of the codes of /docs/errors. New codes may be added.'),
    detail: z.string().describe('What went wrong with this request, for people.'),
    errors: z
      .array(
        z.object({
          in: z.enum(['body', 'query', 'path', 'header']),
          path: z.string().describe('A JSON pointer into the body, or the name of a parameter.'),
          code: z.string(),
          message: z.string(),
        }),
      )
      .describe('Every fault of the request with its place.')
      .optional(),
    request_id: z.string().describe('Name it when you ask for help.'),
  })
  .meta({ id: 'Problem' });

const REQUEST = 'req_01kaj2n5w5fq8b4m0g3v7x9rtc';

/** What goes beyond the title: the sentence of a real case, its faults and its further members. */
const CASES: Partial<Record<FailureCode, { detail?: string; [member: string]: unknown }>> = {
  malformed_json: { detail: 'Unexpected end of JSON input' },
  invalid_version: { detail: 'Service-Version must be one of 2026-02-22', versions: ['2026-02-22'] },
  insufficient_scope: { detail: 'This needs the scope crm:write', required_scope: 'crm:write' },
  method_not_allowed: { detail: '/api/v1/crm/contacts takes GET, HEAD, POST' },
  body_too_large: { detail: 'The body may have 1 MiB' },
  too_many_values: {
    detail: 'The body may have 20000 members and elements in all its objects and arrays',
  },
  validation_failed: {
    detail: 'first_name is required',
    errors: [{ in: 'body', path: '/first_name', code: 'required', message: 'first_name is required' }],
  },
  unknown_reference: {
    detail: 'company_id: comp_01kaj2n5w5fq8b4m0g3v7x9rtc does not exist in this organization',
    errors: [
      {
        in: 'body',
        path: '/company_id',
        code: 'unknown_reference',
        message: 'comp_01kaj2n5w5fq8b4m0g3v7x9rtc does not exist in this organization',
      },
    ],
  },
  rate_limited: { detail: 'The limit is 1200 requests in 60 seconds; try again in 12 s' },
};

/** A problem as a caller may get it. */
export function problemExample(code: FailureCode): Record<string, unknown> {
  const { title, status, help } = failures[code];
  const { detail = help.en, ...members } = CASES[code] ?? {};
  const problem = { type: `/docs/errors#${code}`, title: title.en, status, code: shownCode(code), detail };
  return { ...problem, ...members, request_id: REQUEST };
}

const HEADERS_OF: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  416: ['Content-Range'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/** The responses of these codes, one for each status, with an example for each code. */
export function problemResponses(codes: readonly FailureCode[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => failures[code].status);
  const sorted = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(sorted.map(([status, ofStatus]) => [status, problemResponse(status, ofStatus)]));
}

function problemResponse(status: number, codes: readonly FailureCode[]): object {
  const waits = codes.includes('idempotency_key_in_use') ? ['Retry-After'] : [];
  const names = ['Request-Id', 'Service-Version', ...(HEADERS_OF[status] ?? []), ...waits];
  return {
    description: codes.map((code) => `\`${shownCode(code)}\`: ${failures[code].title.en}.`).join('\n\n'),
    headers: headerRefs(names),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' } satisfies JsonSchema,
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/problem.${code}` }]),
        ),
      },
    },
  };
}

/** The content of `components.examples`. */
export function problemExamples(codes: readonly FailureCode[]): Record<string, object> {
  return Object.fromEntries(
    codes.map((code) => [
      `problem.${code}`,
      { summary: failures[code].title.en, value: problemExample(code) },
    ]),
  );
}

/** References to documented headers. */
export function headerRefs(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
