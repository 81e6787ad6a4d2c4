import type { Reader } from '../../kernel/reader.ts';
import type { SecretKeys } from '../../platform/secrets/keys.ts';
import { readSecret, type SecretName } from '../../platform/secrets/store.ts';
import { CalendarFailure } from './provider.ts';

/** Which secret is that of a connection: tokens of Google as JSON, the password of a server, the address of a feed. */
export function connectionSecret(connection_id: string): SecretName {
  return { purpose: 'scheduler.calendar', record_id: connection_id };
}

/** What opens a connection. Errors: `CalendarFailure` `reauth_required` where it is gone or no key opens it. */
export async function openSecret(reader: Reader, keys: SecretKeys, connection_id: string): Promise<string> {
  const found = await readSecret(reader, keys, connectionSecret(connection_id));
  if (found.state === 'readable') return found.text;
  throw new CalendarFailure('reauth_required', `secret_${found.state}`);
}
