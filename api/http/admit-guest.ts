import type { ApiContext } from '../context.ts';
import { ownCookies } from './cross-site.ts';
import type { Endpoint } from './endpoint.ts';
import { isKeyKnown } from './idempotency.ts';
import type { Caller, Request } from './request.ts';
import { repeatableOf } from './run-endpoint.ts';

/**
 * Asks the endpoint whether the guest of a link may make the call now, before its body is read: who may not learns nothing
 * of its form. Errors: those of the endpoint's `admits`; `invalid_idempotency_key`.
 */
export async function admitGuest(
  context: ApiContext,
  { admits }: Endpoint,
  caller: Caller,
  request: Request,
): Promise<void> {
  const { link } = request.state;
  if (!admits || !link) return;
  const { baseUrl: base_url } = context.settings;
  const cookies = ownCookies(request, base_url);
  const repeatable = repeatableOf(request, caller);
  await context.database.withConnection(caller.organization_id, async (connection) => {
    const isRepeated = async () =>
      repeatable !== null && (await isKeyKnown(connection, repeatable, caller.now));
    const ask = (is_repeated: boolean) =>
      admits({ link, cookies, base_url, is_repeated }, { ...caller, connection });
    if (await isRepeated()) return ask(true);
    try {
      await ask(false);
    } catch (error) {
      // The first request with the key may have changed the state between the two looks.
      if (!(await isRepeated())) throw error;
      await ask(true);
    }
  });
}
