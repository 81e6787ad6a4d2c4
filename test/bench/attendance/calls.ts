import type { TestActor } from '../../support/actors.ts';
import type { Server } from '../servers.ts';

/** A call of the API with the key of somebody. */
export function call(
  { base_url }: Server,
  { secret }: TestActor,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return fetch(`${base_url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}
