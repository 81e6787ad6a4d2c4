import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { resolve } from 'node:path';
import { median } from '../imports/measuring.ts';
import { bulk } from '../servers.ts';
import { type BenchSink, memoryOf, startSink } from './bench-sink.ts';
import { type Office, openOffice } from './office.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const READY = Number(process.env['BENCH_READY'] ?? 20_000);
const RECIPIENTS = Number(process.env['BENCH_AMOUNT'] ?? 100_000);

const AIMS: readonly [connections: number, aim: string][] = [
  [5, '0.7'],
  [20, '0.5'],
];

type Round = { bare: number; ours: number; freeze: number; memory: number };

/** Mails a second of a campaign beside nodemailer's pool alone, in turns; the time of the freeze, and the memory of the workers. */
export async function speed(): Promise<string> {
  const lines = [
    `| ${RECIPIENTS} recipients | pool mails/s | ours mails/s | ours/pool | aim | freeze s | aim | workers MiB | aim |`,
    '|---|---|---|---|---|---|---|---|---|',
  ];
  for (const [connections, aim] of AIMS) {
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(connections));
    const of = (read: (round: Round) => number) => median(rounds.map(read));
    const ratio = of(({ ours, bare }) => ours / bare).toFixed(2);
    lines.push(
      `| ${connections} connections | ${Math.round(of(({ bare }) => bare))} | ${Math.round(of(({ ours }) => ours))} | ${ratio} | ${aim} | ${(of(({ freeze }) => freeze) / 1_000).toFixed(1)} | 10 | ${Math.round(of(({ memory }) => memory))} | 300 |`,
    );
  }
  return lines.join('\n');
}

async function measure(connections: number): Promise<Round> {
  const sink = await startSink();
  const office = await openOffice(RECIPIENTS);
  try {
    const bare = await pool(sink, connections);
    const { rate, freeze, memory } = await campaign(office, sink, connections);
    return { bare, ours: rate, freeze, memory };
  } finally {
    sink.stop();
    await office.close();
  }
}

async function pool(sink: BenchSink, connections: number): Promise<number> {
  await sink.ask('forget');
  const words = [sink.url, String(connections), String(READY)];
  const child = fork(resolve(import.meta.dirname, '../baselines/mail-pool.ts'), words);
  // Beside whatever else the machine does it gets no more of the processor than the workers.
  setPriority(child.pid!, bulk.nice ?? 0);
  await once(child, 'exit');
  return rateAt(sink);
}

/** Sends a campaign with workers that have so many connections. */
export async function campaign(
  office: Office,
  sink: BenchSink,
  connections: number,
): Promise<{ rate: number; freeze: number; memory: number }> {
  await sink.ask('forget');
  const workers = await office.startWorkers({
    SMTP_URL: sink.url,
    MAIL_CONNECTIONS: String(connections),
  });
  const id = await office.send();
  const freeze = await office.frozen(id);
  await office.untilSent(id);
  const memory = memoryOf(workers.pid).most;
  await workers.stop();
  return { rate: await rateAt(sink), freeze, memory };
}

async function rateAt(sink: BenchSink): Promise<number> {
  const { count, first_at, last_at } = await sink.ask('count');
  return ((count - 1) * 1_000) / (last_at - first_at);
}
