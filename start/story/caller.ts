import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../shared/kernel/startup-error.ts';
import type { Teller } from './teller.ts';

/** A resource as it came from the API; the story reads the few fields that it tells of. */
// biome-ignore lint/suspicious/noExplicitAny: what a client without types has in hand.
export type Json = Record<string, any>;

export type Caller = {
  get(path: string, words: (answer: Json) => string): Promise<Json>;
  post(path: string, body: Json | undefined, words: (answer: Json) => string): Promise<Json>;
  patch(path: string, body: Json, words: (answer: Json) => string): Promise<Json>;
  put(path: string, body: Json, words: (answer: Json) => string): Promise<Json>;
  /** Posts what the API refuses, and tells of the problem that it answers. */
  refused(path: string, body: Json, words: (problem: Json) => string): Promise<void>;
  /** Puts a text as the content of a file. */
  store(path: string, content: string, words: (answer: Json) => string): Promise<Json>;
  /** Sends an image as the file of a form. */
  upload(path: string, file: { name: string; bytes: Uint8Array<ArrayBuffer> }): Promise<void>;
  /** Posts a CSV file as the file of a form, and tells its first lines. */
  postCsv(path: string, file: { name: string; text: string }, words: (answer: Json) => string): Promise<Json>;
  /** Posts a file as `file` of a form, with its other fields as text. */
  postFiled(
    path: string,
    file: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> },
    fields: Record<string, string>,
    words: (answer: Json) => string,
  ): Promise<Json>;
  /** Follows a job's events until it is over, and sees that it succeeded. */
  follow(job: Json): Promise<void>;
  /** Downloads a PDF into the folder of the story; answers its path. */
  download(path: string, name: string): Promise<string>;
};

/** Milliseconds until a call is given up; the longest one waits for a worker to draw a page. */
const PATIENCE = 60_000;

/** The same for the events of a job, which may draw hundreds of pages. */
const PATIENCE_FOR_JOBS = 15 * PATIENCE;

/** Calls the API below `url` with the credential, and tells what it does. */
export function caller(
  { url, credential, folder }: { url: string; credential: Record<string, string>; folder: string },
  tell: Teller,
): Caller {
  async function ask(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...credential, ...(init.headers as Record<string, string>) };
    const signal = AbortSignal.timeout(PATIENCE);
    return fetch(`${url}/api/v1${path}`, { method, signal, ...init, headers }).catch((cause) => {
      throw new StartupError(`The demo cannot continue: ${method} ${path} had no answer.`, { cause });
    });
  }

  async function send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await ask(method, path, init);
    if (response.ok) return response;
    const problem = (await response.json().catch(() => ({}))) as Json;
    const faults = (problem['errors'] ?? []).map((fault: Json) => `${fault['path']} ${fault['message']}`);
    tell.answer(response.status, `${problem['title'] ?? ''} ${problem['detail'] ?? ''} ${faults.join('; ')}`);
    throw new StartupError(`The demo cannot continue: ${method} ${path} was answered ${response.status}.`);
  }

  async function sendJson(
    method: string,
    path: string,
    body: Json | undefined,
    by = send,
  ): Promise<Response> {
    tell.request(method, path, body);
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    // Whoever repeats a request after a broken connection sends the same key, and it happens once.
    if (method === 'POST') headers['Idempotency-Key'] = randomUUID();
    return by(method, path, { headers, body: JSON.stringify(body ?? {}) });
  }

  async function answered(response: Response, words: (answer: Json) => string): Promise<Json> {
    const answer = (await response.json()) as Json;
    tell.answer(response.status, words(answer));
    return answer;
  }

  return {
    async get(path, words) {
      tell.request('GET', path, undefined);
      return answered(await send('GET', path), words);
    },
    async post(path, body, words) {
      return answered(await sendJson('POST', path, body), words);
    },
    async patch(path, body, words) {
      return answered(await sendJson('PATCH', path, body), words);
    },
    async put(path, body, words) {
      return answered(await sendJson('PUT', path, body), words);
    },
    async refused(path, body, words) {
      const response = await sendJson('POST', path, body, ask);
      const problem = await answered(response, words);
      if (response.ok)
        throw new StartupError(`The demo cannot continue: ${JSON.stringify(problem)} was not refused.`);
    },
    async store(path, content, words) {
      tell.request('PUT', path, content);
      const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
      return answered(await send('PUT', path, { headers, body: content }), words);
    },
    async upload(path, { name, bytes }) {
      tell.request('PUT', path, `file=@${name}`);
      const form = new FormData();
      form.append('file', new File([bytes], name, { type: 'image/png' }));
      const response = await send('PUT', path, { body: form });
      tell.answer(response.status, `${name} is drawn anew from its pixels and kept by its hash`);
    },
    async postCsv(path, { name, text }, words) {
      tell.request('POST', path, `file=@${name}\n${text}`);
      const form = new FormData();
      form.append('file', new File([text], name, { type: 'text/csv' }));
      return answered(await send('POST', path, { body: form }), words);
    },
    async postFiled(path, { name, type, bytes }, fields, words) {
      tell.request('POST', path, { file: `@${name}`, ...fields });
      const form = new FormData();
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      form.append('file', new File([bytes], name, { type }));
      return answered(await send('POST', path, { body: form }), words);
    },
    async follow(job) {
      tell.request('GET', `/jobs/${job['id']}/events`, undefined);
      const signal = AbortSignal.timeout(PATIENCE_FOR_JOBS);
      const response = await send('GET', `/jobs/${job['id']}/events`, { signal });
      await response.text();
      const last = (await (await send('GET', `/jobs/${job['id']}`)).json()) as Json;
      const { status, error } = last['job'];
      tell.answer(response.status, `the job has ${status}`);
      if (status !== 'succeeded')
        throw new StartupError(`The demo cannot continue: ${JSON.stringify(error)}`);
    },
    async download(path, name) {
      tell.request('GET', path, undefined);
      let response = await send('GET', path);
      if (response.status === 202) {
        // Not drawn within 15 seconds: the job says when it is.
        const { job } = (await response.json()) as Json;
        tell.answer(202, 'a worker is at it');
        await this.follow(job);
        response = await send('GET', path);
      }
      const bytes = Buffer.from(await response.arrayBuffer());
      const place = join(folder, name);
      await writeFile(place, bytes);
      tell.answer(response.status, `${place} (${Math.ceil(bytes.length / 1024)} KiB)`);
      return place;
    },
  };
}
