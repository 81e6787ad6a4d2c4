import { assertDocumented } from './documented.ts';

/** An answer with its body parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
export type Reply = { status: number; headers: Headers; body: any; text: string };

type Headers_ = Record<string, string>;

export type Client = {
  get(path: string, headers?: Headers_): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Headers_): Promise<Reply>;
  patch(path: string, body?: unknown, headers?: Headers_): Promise<Reply>;
  put(path: string, body?: unknown, headers?: Headers_): Promise<Reply>;
  delete(path: string, headers?: Headers_): Promise<Reply>;
  send(method: string, path: string, body?: unknown, headers?: Headers_): Promise<Reply>;
};

/** Calls the API below `/api/v1` (a path that begins with `//` is from the root) with these headers. */
export function clientOf(base_url: string, common: Headers_): Client {
  async function send(method: string, path: string, body?: unknown, headers: Headers_ = {}): Promise<Reply> {
    const url = path.startsWith('//') ? `${base_url}${path.slice(1)}` : `${base_url}/api/v1${path}`;
    const isForm = body instanceof FormData;
    const json: Headers_ = body === undefined || isForm ? {} : { 'Content-Type': 'application/json' };
    const response = await fetch(url, {
      method: method.toUpperCase(),
      redirect: 'manual',
      headers: { ...json, ...common, ...headers },
      body:
        body === undefined || isForm || typeof body === 'string' || body instanceof Uint8Array
          ? (body as string | FormData | undefined)
          : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const reply = isJson && text !== '' ? JSON.parse(text) : undefined;
    assertDocumented(method, `/api/v1${path}`, response.status, reply?.code);
    return { status: response.status, headers: response.headers, body: reply, text };
  }
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}
