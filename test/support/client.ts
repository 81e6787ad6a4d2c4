import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
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

const ATTEMPTS = 5;

/** Calls the API below `/api/v1` (a path that begins with `//` is from the root) with these headers. */
export function clientOf(base_url: string, common: Headers_): Client {
  async function send(method: string, path: string, body?: unknown, headers: Headers_ = {}): Promise<Reply> {
    const url = path.startsWith('//') ? `${base_url}${path.slice(1)}` : `${base_url}/api/v1${path}`;
    const isForm = body instanceof FormData;
    const json: Headers_ = body === undefined || isForm ? {} : { 'Content-Type': 'application/json' };
    const all = { ...json, ...common, ...headers };
    const answer = isForm
      ? await fetched(url, { method, headers: all, body })
      : await exchanged(url, { method, headers: all, body: bytesOf(body) });
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    const reply = isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined;
    assertDocumented(method, `/api/v1${path}`, answer.status, reply?.code);
    return { ...answer, body: reply };
  }
  return callsBy(send);
}

/**
 * The same for tests about something else than outages, of programs that a busy machine may make wait too long for their
 * database: does as the API asks of its callers, and repeats what was answered with 503, with the same Idempotency-Key.
 */
export function patientClientOf(base_url: string, common: Headers_): Client {
  const once = clientOf(base_url, common);
  return callsBy(async (method, path, body, headers = {}) => {
    const keyed = method === 'POST' ? { 'Idempotency-Key': randomUUID(), ...headers } : headers;
    for (let attempt = 1; ; attempt += 1) {
      const reply = await once.send(method, path, body, keyed);
      if (reply.status !== 503 || attempt === ATTEMPTS) return reply;
      await pause(Number(reply.headers.get('retry-after')) * 1_000);
    }
  });
}

function callsBy(send: Client['send']): Client {
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}

type Answer = Omit<Reply, 'body'>;

/**
 * A connection that nobody used for half a minute is closed here: the API closes it after 65 s, and a call that meets that is reset.
 * (A busy process would learn of it too late.)
 */
const agent = new Agent({ keepAlive: true, timeout: 30_000 });

function bytesOf(body: unknown): string | Uint8Array | undefined {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array
    ? body
    : JSON.stringify(body);
}

/** By `node:http`: a call by `fetch` takes 0.3 ms of a processor more, and a run makes some hundred thousand. */
function exchanged(
  url: string,
  { method, headers, body }: { method: string; headers: Headers_; body: string | Uint8Array | undefined },
): Promise<Answer> {
  const sized = body === undefined ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const options = { method: method.toUpperCase(), headers: sized, agent };
    const outgoing = request(url, options, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part) => parts.push(part)).on('error', reject);
      incoming.on('end', () => {
        const headers = new Headers();
        for (const [name, values] of Object.entries(incoming.headersDistinct)) {
          for (const value of values ?? []) headers.append(name, value);
        }
        resolve({ status: incoming.statusCode!, headers, text: Buffer.concat(parts).toString() });
      });
    });
    outgoing.on('error', reject).end(body);
  });
}

async function fetched(
  url: string,
  { method, headers, body }: { method: string; headers: Headers_; body: FormData },
): Promise<Answer> {
  const response = await fetch(url, { method: method.toUpperCase(), headers, body, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
