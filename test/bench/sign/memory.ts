import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { newActor } from '../../support/actors.ts';
import { startApp } from '../../support/app.ts';
import { askForSeals, countSigned, signedContracts } from './contracts.ts';
import { startSealWorkers } from './workers.ts';

const DOCUMENTS = Number(process.env['BENCH_DOCUMENTS'] ?? 500);

/** What the workers and the processes of their readers hold after a fifth of the documents, and after all. */
export async function memory(): Promise<string> {
  const app = await startApp();
  const actor = await newActor(app.database);
  const ids = await signedContracts(app, actor, DOCUMENTS);
  const workers = await startSealWorkers(app);
  const first = DOCUMENTS / 5;
  const looks: { after: number; own: number; readers: number }[] = [];
  for (const part of [ids.slice(0, first), ids.slice(first)]) {
    await askForSeals(app, actor, part);
    while ((await countSigned(app, part)) < part.length) await pause(200);
    const after = (looks.at(-1)?.after ?? 0) + part.length;
    looks.push({ after, own: residentOf(workers.pid), readers: readersOf(workers.pid) });
  }
  await workers.stop();
  const ratio = looks[1]!.own / looks[0]!.own;
  return [
    '| documents sealed | workers, MiB | their readers, MiB |',
    '|---|---|---|',
    ...looks.map(({ after, own, readers }) => `| ${after} | ${own} | ${readers} |`),
    '',
    `Growth of the workers: ${ratio.toFixed(2)} (aim 1.1, and under 400 MiB).`,
  ].join('\n');
}

function residentOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes ?? 0) / 1024);
}

/** What the readers that a process has started hold together. */
function readersOf(parent: number): number {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const isChild = readFileSync(`/proc/${name}/status`, 'utf8').includes(`\nPPid:\t${parent}\n`);
      const isReader = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('readers/child.ts');
      if (isChild && isReader) sum += residentOf(Number(name));
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}
