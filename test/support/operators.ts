import { type Watched, watchedPage } from './browser.ts';

export const OPERATOR_PASSWORD = 'correct horse battery staple';

/** The settings of an app whose pages for operators are open to `fetchAsOperator` and `operatorPage`. */
export const WITH_OPERATORS = { OPERATOR_PASSWORD };

/** The header of HTTP Basic with a password; the user name does not matter. */
export function basic(password: string): { Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`operator:${password}`).toString('base64')}` };
}

/** `fetch` with the password of `WITH_OPERATORS`; headers of the request win. */
export function fetchAsOperator(url: string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(basic(OPERATOR_PASSWORD));
  for (const [name, value] of new Headers(options.headers)) headers.set(name, value);
  return fetch(url, { ...options, headers });
}

/** A watched page of a browser that knows the password of `WITH_OPERATORS`. */
export async function operatorPage(): Promise<Watched> {
  const watched = await watchedPage();
  await watched.page.authenticate({ username: 'operator', password: OPERATOR_PASSWORD });
  return watched;
}
