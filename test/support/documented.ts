import assert from 'node:assert/strict';
import { endpoints } from '../../api/endpoints.ts';
import type { Endpoint } from '../../api/http/endpoint.ts';
import { documentedFailures } from '../../api/http/openapi/failures.ts';
import { shownCode } from '../../shared/domains.ts';

const routes = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+').replace(/\*\w+/g, '.+')}$`),
  parameters: endpoint.path.split(/[:*]/).length,
}));

/** The endpoint that a call reaches; paths without parameters win. */
export function endpointOf(method: string, path: string): Endpoint | undefined {
  const [pathname = ''] = path.split('?');
  const fitting = routes.filter(
    ({ endpoint, pattern }) => endpoint.method === method.toLowerCase() && pattern.test(pathname),
  );
  return fitting.sort((left, right) => left.parameters - right.parameters)[0]?.endpoint;
}

/** Every refusal that any test meets must be one that the endpoint documents. */
export function assertDocumented(
  method: string,
  path: string,
  status: number,
  code: string | undefined,
): void {
  // Most calls are answered well: for them no endpoint is looked for among hundreds of patterns.
  if (status < 400 || code === undefined) return;
  const endpoint = endpointOf(method, path);
  if (!endpoint) return;
  const documented: readonly string[] = documentedFailures(endpoint).map(shownCode);
  assert.ok(documented.includes(code), `${endpoint.id} answered ${code}, which it does not document`);
}
