import { randomBytes } from 'node:crypto';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import type { Json } from './caller.ts';

/**
 * What the story sends with each call: the key that was given, or that of a company which is founded for it, so that
 * nobody's records are touched. Throws a StartupError where nobody may sign up.
 */
export async function credentialFor(url: string, api_key: string | null): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${api_key ?? (await found(url))}` };
}

async function found(url: string): Promise<string> {
  const tag = randomBytes(4).toString('hex');
  const call = async (path: string, body: Json, cookie?: string) => {
    const headers = { 'Content-Type': 'application/json', ...(cookie && { Cookie: cookie }) };
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) {
      throw new StartupError(
        `The demo could not create an organization (POST ${path}: ${response.status}). ` +
          'Where SMTP_URL is set, nobody signs up without confirming an address. ' +
          'Name a key of yours: API_KEY=sk_... npm run demo -- --mine',
      );
    }
    return response;
  };
  const person = {
    name: '青葉 花子',
    email: `aoba-${tag}@example.com`,
    password: randomBytes(18).toString('base64url'),
  };
  const signedUp = await call('/auth/sign-up/email', person);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  await call('/organizations', { name: '株式会社青葉珈琲', slug: `aoba-${tag}` }, cookie);
  const made = (await (await call('/api-keys', { name: 'A sale' }, cookie)).json()) as Json;
  return made['secret'] ?? made['api_key']['secret'];
}
