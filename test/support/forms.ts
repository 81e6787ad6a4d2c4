import type { TestApp } from './app.ts';

/** An answer of a page. */
export type PageReply = { status: number; headers: Headers; html: string; cookie: string };

/** The token that the forms of a page send back. */
export function formTokenOf(html: string): string {
  return /name="form_token" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? '';
}

/** Calls pages as a browser without scripts does: it keeps cookies and follows nothing by itself. */
export function visitor(app: TestApp, start = '') {
  const jar = new Map<string, string>();
  if (start) keep(start);

  function keep(cookie: string): void {
    const [name, ...value] = cookie.split(';')[0]!.split('=');
    if (value.join('=') === '') jar.delete(name!);
    else jar.set(name!, value.join('='));
  }

  async function call(path: string, init: RequestInit): Promise<PageReply> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { Accept: 'text/html', ...(cookie && { Cookie: cookie }), ...(init.headers as object) };
    const response = await fetch(app.base_url + path, { redirect: 'manual', ...init, headers });
    for (const set of response.headers.getSetCookie()) keep(set);
    return { status: response.status, headers: response.headers, html: await response.text(), cookie };
  }

  return {
    get: (path: string, headers: Record<string, string> = {}) => call(path, { headers }),
    /** Sends a form from a page of the service; one with files as it is. */
    send: (
      path: string,
      fields: Record<string, string> | URLSearchParams | FormData,
      headers: Record<string, string> = {},
    ) =>
      call(path, {
        method: 'POST',
        body: fields instanceof FormData ? fields : new URLSearchParams(fields),
        headers: { Origin: app.base_url, ...headers },
      }),
    has: (name: string) => jar.has(name),
  };
}
