import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export type FeedServer = {
  /** For CALENDAR_HOSTS. */
  host: string;
  /** The headers of each request that arrived, by its path. */
  heard: { path: string; headers: IncomingHttpHeaders }[];
  /** What answers a path; 404 where nothing does. */
  answers: Record<string, (answer: ServerResponse, headers: IncomingHttpHeaders) => void>;
};

/** A server for feeds of calendars, right ones and hostile ones. It ends with the test file. */
export async function startFeedServer(): Promise<FeedServer> {
  const feeds: FeedServer = { host: '', heard: [], answers: {} };
  const server = createServer(({ url: path = '', headers }, answer) => {
    feeds.heard.push({ path, headers });
    const reply = feeds.answers[path];
    if (reply) reply(answer, headers);
    else answer.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  feeds.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return feeds;
}
