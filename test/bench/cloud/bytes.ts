import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { median } from '../imports/measuring.ts';
import { processTime } from '../process-time.ts';
import { type Server, startServer } from '../servers.ts';
import { got, sent, sentPiece } from './curl.ts';
import { largeFile } from './large-file.ts';
import { type BenchOffice, openOffice } from './office.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const MiB = 1024 * 1024;
const SIZE = Number(process.env['BENCH_MIB'] ?? 1024) * MiB;
const FILES = Number(process.env['BENCH_FILES'] ?? 1_000);
const SMALL = 10 * 1024;
const PIECE = 64 * MiB;
const ASKED = new RegExp(process.env['BENCH_NAMED'] ?? '');

type Case = { name: string; aim: number; unit: 'MiB' | ''; measure: (server: Server) => Promise<number> };

/**
 * Files of 1 GiB and of 10 KiB, up and down, beside a bare server that pipes to the same disk, in turns. BENCH_NAMED names
 * some of the cases by a regular expression. Rates depend on what else runs on a machine, processor time hardly does.
 */
export async function bytes(): Promise<string> {
  const office = await openOffice();
  const folder = join(office.folder, 'bare');
  mkdirSync(folder);
  const bare = await startServer('bare', 'test/bench/baselines/files.ts', { FOLDER: folder });
  try {
    const lines = [
      '| | ours/s | bare/s | ours/bare | aim | processor: ours, ms | bare, ms |',
      '|---|---|---|---|---|---|---|',
    ];
    for (const each of await casesOf(office)) {
      if (ASKED.test(each.name)) lines.push(await measured(each, [office.server, bare]));
    }
    return lines.join('\n');
  } finally {
    await bare.stop();
    await office.end();
  }
}

/** A row of the table. Processor time is of the server alone: for the file, or for each of the small ones. */
async function measured({ name, aim, unit, measure }: Case, servers: Server[]): Promise<string> {
  const rates: Record<string, number[]> = { ours: [], bare: [] };
  const times: Record<string, number[]> = { ours: [], bare: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Who comes first changes: the disk may still be at work with what the one before wrote.
    const order = round % 2 === 0 ? servers : servers.toReversed();
    for (const server of order) {
      const before = processTime(server.pid);
      const rate = await measure(server);
      if (round === 0) continue;
      rates[server.name]!.push(rate);
      times[server.name]!.push((processTime(server.pid) - before) / (unit === 'MiB' ? 1 : FILES));
    }
  }
  const ratio = median(rates['ours']!.map((rate, round) => rate / rates['bare']![round]!));
  const rate = (of: string) => `${Math.round(median(rates[of]!))} ${unit}`.trim();
  const time = (of: string) => median(times[of]!).toFixed(unit === 'MiB' ? 0 : 2);
  const cells = [name, rate('ours'), rate('bare'), ratio.toFixed(2), aim, time('ours'), time('bare')];
  return `| ${cells.join(' | ')} |`;
}

async function casesOf({ folder, actor }: BenchOffice): Promise<Case[]> {
  const large = await largeFile(join(folder, 'large'), SIZE);
  const piece = await largeFile(join(folder, 'piece'), PIECE);
  let made = 0;
  const nextName = () => {
    made += 1;
    return `file-${made}`;
  };
  const pathOf = ({ name, base_url }: Server, file: string) =>
    name === 'bare' ? `${base_url}/${file}` : `${base_url}/api/v1/cloud/folders/root/files/${file}`;
  const rate = (seconds: number) => SIZE / MiB / seconds;
  const contents = new Map<string, string>();
  const put = async (server: Server) => {
    const url = pathOf(server, nextName());
    contents.set(server.name, url);
    return sent(url, large, actor.secret);
  };
  const small = (connections: number): Case => ({
    name: `PUT of 10 KiB, ${connections} at a time`,
    aim: 0.4,
    unit: '',
    async measure(server) {
      const result = await autocannon({
        url: server.base_url,
        connections,
        amount: FILES,
        // It ends with a sample: those of a second would round the time.
        sampleInt: 20,
        requests: [
          {
            method: 'PUT',
            path: '/',
            setupRequest: (request) => ({
              ...request,
              path: new URL(pathOf(server, nextName())).pathname,
              headers: { authorization: `Bearer ${actor.secret}`, 'content-type': 'text/plain' },
              body: randomBytes(SMALL),
            }),
          },
        ],
      });
      if (result.non2xx + result.errors > 0) throw new Error(`${server.name} failed`);
      return FILES / result.duration;
    },
  });
  return [
    { name: 'PUT of 1 GiB', aim: 0.7, unit: 'MiB', measure: async (server) => rate(await put(server)) },
    {
      name: 'tus in PATCHes of 64 MiB, beside a PUT',
      aim: 0.7,
      unit: 'MiB',
      async measure(server) {
        if (server.name === 'bare') return rate(await sent(pathOf(server, nextName()), large, actor.secret));
        const url = await beginUpload(server, actor.secret);
        let seconds = 0;
        for (let at = 0; at < SIZE; at += PIECE) seconds += await sentPiece(url, piece, actor.secret, at);
        return rate(seconds);
      },
    },
    {
      name: 'GET of 1 GiB',
      aim: 0.7,
      unit: 'MiB',
      async measure(server) {
        if (!contents.has(server.name)) await put(server);
        return rate(await got(await contentOf(server, contents, actor.secret), actor.secret));
      },
    },
    small(1),
    small(8),
  ];
}

/** Begins a resumable upload; answers where its pieces are sent. */
async function beginUpload({ base_url }: Server, secret: string): Promise<string> {
  const reply = await fetch(`${base_url}/api/v1/cloud/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secret}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(SIZE),
      'upload-metadata': `filename ${Buffer.from(`tus-${Math.random()}`).toString('base64')}`,
    },
  });
  if (reply.status !== 201) throw new Error(await reply.text());
  return new URL(reply.headers.get('location')!, base_url).href;
}

/** Where the last file that was put is read. */
async function contentOf({ name, base_url }: Server, contents: Map<string, string>, secret: string) {
  const url = contents.get(name)!;
  if (name === 'bare') return url;
  const headers = { authorization: `Bearer ${secret}` };
  const list = await fetch(`${base_url}/api/v1/cloud/files?search=${url.split('/').at(-1)}`, { headers });
  const { items } = (await list.json()) as { items: [{ id: string }] };
  return `${base_url}/api/v1/cloud/files/${items[0].id}/content`;
}
