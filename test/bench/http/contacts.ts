import { readFileSync } from 'node:fs';
import { RARE } from '../../support/many-contacts.ts';
import { median } from '../imports/measuring.ts';
import { type Server, startServer } from '../servers.ts';
import { type Call, type Load, load, ROUNDS } from './load.ts';
import { type Offices, openOffices, SECRETS, tidy } from './office.ts';
import { assertSameAnswers } from './same-answers.ts';

const NAMED = new RegExp(process.env['BENCH_NAMED'] ?? '');

export const ROOT = '/api/v1/crm/contacts';

/** Some 7 % of the contacts have it. */
const FREQUENT = '佐藤';

export const newContact = (n: number) =>
  JSON.stringify({ first_name: '花子', last_name: '山田', email: `new${n}@example.com` });

const search = (term: string) => () => ({ path: `${ROOT}?search=${encodeURIComponent(term)}` });

const LIST = 'list 50';

const LIST_WITHOUT_TOTAL = 'list 50 without total';

type Case = { name: string; call: (contact_id: string) => Omit<Call, 'secret'> };

const all: Case[] = [
  { name: LIST, call: () => ({ path: ROOT }) },
  { name: LIST_WITHOUT_TOTAL, call: () => ({ path: `${ROOT}?skip_total=true` }) },
  { name: 'get', call: (contact_id) => ({ path: `${ROOT}/${contact_id}` }) },
  { name: 'search, two letters', call: search(RARE.two) },
  { name: 'search, three letters', call: search(RARE.three) },
  { name: 'search, a frequent name', call: search(FREQUENT) },
  // Last: it adds contacts.
  { name: 'create', call: () => ({ path: ROOT, body: newContact }) },
];

/** The cases that BENCH_NAMED names, or all. */
export const cases = all.filter(({ name }) => NAMED.test(name));

/** A case as calls of all organizations of a size. */
export function callsOf({ call }: Case, { members }: Offices): Call[] {
  return members.map(({ actor, contact_id }) => ({ ...call(contact_id), secret: actor.secret }));
}

const TABLE = [
  '| contacts | | ours/s | bare/s | limit/s | ours/bare | ours/limit | processor µs, API + database: ours | bare | limit | bare/ours | limit/ours | ours p50 ms | ours p99 ms |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
];

/** The API beside Koa + Objection and beside node:http + pg, on one database, in turns, the same bytes from all. */
export async function contacts(): Promise<string> {
  const office = await openOffices();
  const environment = { DATABASE_URL: office.url, ...SECRETS };
  const servers = [
    await startServer('ours', 'api/main.ts', environment),
    await startServer('bare', 'test/bench/baselines/bare.ts', environment),
    await startServer('limit', 'test/bench/baselines/limit.ts', environment),
  ];
  const memory = [residentMegabytes(servers[0]!)];
  try {
    const lines = [...TABLE];
    const totals: string[] = [];
    for (const offices of office.offices) {
      const processor = new Map<string, number>();
      for (const each of cases) {
        const calls = callsOf(each, offices);
        if (!calls[0]!.body) await assertSameAnswers(servers, calls[0]!);
        const loads: Load[][] = servers.map(() => []);
        for (let round = 0; round <= ROUNDS; round += 1) {
          for (const [place, server] of servers.entries()) {
            await tidy(office);
            const one = await load(server, office, calls, round === 0 ? 1 : undefined);
            if (round > 0) loads[place]!.push(one);
          }
        }
        const [own, bare, limit] = loads as [Load[], Load[], Load[]];
        lines.push(lineOf([`${offices.contacts}`, each.name], own, bare, limit));
        processor.set(each.name, median(own.map(used)));
      }
      const ratio = (processor.get(LIST) ?? 0) / (processor.get(LIST_WITHOUT_TOTAL) ?? 0);
      if (Number.isFinite(ratio)) totals.push(`${ratio.toFixed(2)} of ${offices.contacts}`);
      memory.push(residentMegabytes(servers[0]!));
    }
    const grown = memory.slice(1).map((size, place) => `${size} after ${office.offices[place]!.contacts}`);
    const ratios = `Processor time of a list, with its total beside without: ${totals.join(', ')} contacts.`;
    lines.push(
      '',
      ...(totals.length > 0 ? [ratios] : []),
      `Memory of the API process, MiB: ${memory[0]} at its start, ${grown.join(', ')} contacts.`,
    );
    return lines.join('\n');
  } finally {
    for (const server of servers) await server.stop();
    await office.drop();
  }
}

const used = ({ api, database }: Load) => api + database;

function lineOf(named: string[], own: Load[], bare: Load[], limit: Load[]): string {
  const rate = (loads: Load[]) => Math.round(median(loads.map((one) => one.rate)));
  const ratio = (other: Load[]) => median(own.map((one, round) => one.rate / other[round]!.rate)).toFixed(2);
  const saved = (other: Load[]) =>
    median(own.map((one, round) => used(other[round]!) / used(one))).toFixed(2);
  const parts = (loads: Load[]) =>
    `${Math.round(median(loads.map(({ api }) => api)))} + ${Math.round(median(loads.map(({ database }) => database)))}`;
  const cells = [
    ...named,
    ...[own, bare, limit].map(rate),
    ratio(bare),
    ratio(limit),
    ...[own, bare, limit].map(parts),
    saved(bare),
    saved(limit),
    Math.round(median(own.map(({ p50 }) => p50))),
    Math.round(median(own.map(({ p99 }) => p99))),
  ];
  return `| ${cells.join(' | ')} |`;
}

function residentMegabytes({ pid }: Server): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
