import type { ApiContext } from '../context.ts';
import { runAwaited } from './awaited.ts';
import { bodyLimitsOf, readBody } from './body.ts';
import type { Endpoint, EndpointKinds, StepwiseEndpoint, WriteEndpoint } from './endpoint.ts';
import { runGenerated, runListOrReport } from './files/generated.ts';
import { openStream } from './files/stream.ts';
import { runTransfer } from './files/transfer.ts';
import { formLimitOf, runUpload } from './files/upload.ts';
import { parseJson } from './json.ts';
import type { Request } from './request.ts';
import { type Call, type Ran, runFile, runRead, runStepwise, type TimedCall } from './run-endpoint.ts';
import { withinTime } from './time-limits.ts';

/** How the endpoints of one kind are answered. */
export type Kind<One> = {
  /** Bytes that the body of a request may have. */
  body_limit(endpoint: One): number;
  /** Reads the body of a request, in the latest version of the API; absent for kinds that take none or read it as they run. */
  parse?(context: ApiContext, endpoint: One, request: Request): Promise<unknown>;
  /** Answers a request that has passed all checks. */
  act(context: ApiContext, endpoint: One, call: Call): Promise<Ran>;
};

/** Every kind of endpoint. */
const kinds: { [Name in keyof EndpointKinds]: Kind<EndpointKinds[Name]> } = {
  read: { body_limit: jsonLimit, act: inTime(runRead) },
  list: { body_limit: jsonLimit, act: inTime(runListOrReport) },
  report: { body_limit: jsonLimit, act: inTime(runListOrReport) },
  write: { body_limit: jsonLimit, parse: parseBody, act: inTime(runAwaited) },
  stepwise: { body_limit: jsonLimit, parse: parseBody, act: inTime(runStepwise) },
  file: { body_limit: jsonLimit, act: inTime(runFile) },
  generated: { body_limit: jsonLimit, act: inTime(runGenerated) },
  // These wait for their senders and readers, and have limits of their own.
  upload: { body_limit: formLimitOf, act: runUpload },
  transfer: { body_limit: ({ takes }) => takes?.limit ?? 0, act: runTransfer },
  stream: { body_limit: jsonLimit, act: openStream },
};

/** How an endpoint is answered. */
export function kindOf<Name extends keyof EndpointKinds>(
  endpoint: EndpointKinds[Name],
): Kind<EndpointKinds[Name]> {
  return kinds[endpoint.kind as Name];
}

function jsonLimit(endpoint: Endpoint): number {
  return bodyLimitsOf(endpoint).bytes;
}

async function parseBody(
  { versions }: ApiContext,
  endpoint: WriteEndpoint | StepwiseEndpoint,
  request: Request,
): Promise<unknown> {
  const { state } = request;
  const limits = bodyLimitsOf(endpoint);
  state.body_text = await readBody(request, limits.bytes);
  const body = parseJson(state.body_text, limits.values);
  limits.check?.(body);
  const query = new URLSearchParams(request.querystring);
  return versions.upgrade(state.version, endpoint, { query, body });
}

/** Runs within the time that a handler has. */
function inTime<One>(
  run: (context: ApiContext, endpoint: One, call: TimedCall) => Promise<Ran>,
): Kind<One>['act'] {
  return (context, endpoint, call) =>
    withinTime(context.time_limits.handler, (signal) => run(context, endpoint, { ...call, signal }));
}
