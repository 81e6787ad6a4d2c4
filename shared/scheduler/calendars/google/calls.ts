import type { OutsideAnswer } from '../../../platform/outside/call.ts';
import type { GoogleClient } from '../../../platform/outside/open.ts';
import { CalendarFailure, type Opening } from '../provider.ts';
import { addressesOf, callGoogle, failureIn, objectIn } from './api.ts';
import type { TokenSource } from './tokens.ts';

/** A call of the calendar API for a connection: the method, the path below its root, the query, the body as JSON. */
export type AuthorizedCall = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  query: Readonly<Record<string, string>>,
  body?: object,
) => Promise<OutsideAnswer>;

/**
 * Calls with the token of a connection. One that Google does not take is replaced once: it may have been revoked, or have
 * ended early. Errors: `CalendarFailure`.
 */
export function authorizedCalls(
  { services, signal }: Pick<Opening, 'services' | 'signal'>,
  client: GoogleClient,
  tokens: Pick<TokenSource, 'accessToken'>,
): AuthorizedCall {
  return async (method, path, query, body) => {
    const send = (token: string) =>
      callGoogle(services, {
        method,
        url: `${addressesOf(client).calendar}${path}${textOf(query)}`,
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: 'application/json',
          ...(body ? { 'Content-Type': 'application/json; charset=utf-8' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal,
      });
    const token = await tokens.accessToken();
    const answer = await send(token);
    return answer.status === 401 ? send(await tokens.accessToken(token)) : answer;
  };
}

function textOf(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}

/** The object that a call is answered with. Errors: `CalendarFailure`. */
export function answered(answer: OutsideAnswer): Record<string, unknown> {
  if (answer.status !== 200) throw failureIn(answer);
  return objectIn(answer);
}

/** The objects in a list of an answer. Errors: `CalendarFailure` `broken`. */
export function itemsIn(read: Record<string, unknown>): readonly unknown[] {
  const { items = [] } = read;
  if (!Array.isArray(items)) throw new CalendarFailure('broken', 'not_understood');
  return items;
}
