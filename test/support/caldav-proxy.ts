import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export type DavCall = { method: string; path: string; body: string };
export type DavAnswer = { status: number; body: string };

export type CaldavProxy = {
  /** For CALENDAR_HOSTS. */
  host: string;
  /** The address of a calendar of the server as it is here. */
  at(url: string): string;
  calls: DavCall[];
  /** What a test makes of an answer of the server. */
  change: (call: DavCall, answer: DavAnswer) => DavAnswer;
};

/** Stands before a CalDAV server, and answers as others do that can less or fail. It ends with the test file. */
export async function startCaldavProxy(server_host: string): Promise<CaldavProxy> {
  const proxy: CaldavProxy = {
    host: '',
    calls: [],
    at: (url) => Object.assign(new URL(url), { host: proxy.host }).href,
    change: (_, answer) => answer,
  };
  const server = createServer(async (request, answer) => {
    const call = { method: request.method!, path: request.url!, body: await bodyOf(request) };
    proxy.calls.push(call);
    const { authorization = '', depth = '0', 'content-type': type = '' } = request.headers;
    const said = await fetch(`http://${server_host}${call.path}`, {
      method: call.method,
      redirect: 'manual',
      headers: { Authorization: authorization, Depth: `${depth}`, 'Content-Type': type },
      body: call.body,
    });
    const { status, body } = proxy.change(call, { status: said.status, body: await said.text() });
    answer.writeHead(status, { 'Content-Type': 'text/xml; charset=utf-8' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return proxy;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += part;
  return body;
}

/** The same server without changes by a token (RFC 6578): it has but a tag for each calendar. */
export function withoutChanges({ method, body }: DavCall, answer: DavAnswer): DavAnswer {
  if (method === 'REPORT' && body.includes('<sync-collection')) return { status: 405, body: '' };
  const kept = answer.body
    .replace(/<(?:\w+:)?sync-token>[^<]*<\/(?:\w+:)?sync-token>/g, '')
    .replace(/<(?:\w+:)?sync-collection\s*\/>/g, '');
  return { ...answer, body: kept };
}

/** Fails at the text of one resource of which several are asked for. */
export function failingAt(name: string): CaldavProxy['change'] {
  return changingResponse(
    name,
    (href) => `<response>${href}<status>HTTP/1.1 500 Internal Server Error</status></response>`,
  );
}

/** Says nothing of one resource of which several are asked for. */
export function leavingOut(name: string): CaldavProxy['change'] {
  return changingResponse(name, () => '');
}

function changingResponse(name: string, changed: (href: string) => string): CaldavProxy['change'] {
  return ({ body }, answer) => {
    if (!body.includes('calendar-multiget')) return answer;
    const responses = answer.body.split(/(?=<(?:\w+:)?response>)/).map((part) => {
      const href = /<(?:\w+:)?href>[^<]*<\/(?:\w+:)?href>/.exec(part)?.[0];
      if (!href?.includes(`/${name}<`)) return part;
      return `${changed(href)}${/<\/(?:\w+:)?multistatus>\s*$/.exec(part)?.[0] ?? ''}`;
    });
    return { ...answer, body: responses.join('') };
  };
}
