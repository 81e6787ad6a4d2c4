import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startS3 } from '../../support/s3.ts';
import type { Server } from '../servers.ts';
import { call } from './calls.ts';
import { got, sent } from './curl.ts';
import { largeFile } from './large-file.ts';
import { openOffice } from './office.ts';

const MiB = 1024 * 1024;
const SIZE = Number(process.env['BENCH_MIB'] ?? 1024) * MiB;
const AT_ONCE = 4;
const AIM = 96;

/** By how much the API grows while four files of 1 GiB go up or down at once, on the disk and on an S3 store. */
export async function memory(): Promise<string> {
  const lines = [
    `| ${AT_ONCE} files of ${SIZE / MiB} MiB | before, MiB | most, MiB | growth | aim |`,
    '|---|---|---|---|---|',
  ];
  const s3 = await startS3();
  for (const [store, environment] of [
    ['disk', {}],
    ['S3', { STORAGE_URL: s3.url }],
  ] as const) {
    const office = await openOffice(environment);
    const { server, actor } = office;
    try {
      const path = await largeFile(join(office.folder, 'large'), SIZE);
      const urlOf = (name: string) => `${server.base_url}/api/v1/cloud/folders/root/files/${name}`;
      // The first request loads what all need.
      await call(office, 'PUT', '/folders/root/files/first', Buffer.from('first'));
      const names = Array.from({ length: AT_ONCE }, (_, n) => `large-${n}`);
      const up = await growthDuring(server, () =>
        Promise.all(names.map((name) => sent(urlOf(name), path, actor.secret))),
      );
      const { body } = await call(office, 'GET', '/files?size_min=1000000');
      const { items } = body as { items: { id: string }[] };
      const content = ({ id }: { id: string }) => `${server.base_url}/api/v1/cloud/files/${id}/content`;
      const down = await growthDuring(server, () =>
        Promise.all(items.map((item) => got(content(item), actor.secret))),
      );
      for (const [way, { before, most }] of [
        ['up', up],
        ['down', down],
      ] as const) {
        lines.push(`| ${store}, ${way} | ${before} | ${most} | ${most - before} | ${AIM} |`);
      }
    } finally {
      await office.end();
    }
  }
  await s3.stop();
  return lines.join('\n');
}

/** Resident memory of a process before and at its most, in MiB, looked at ten times a second. */
async function growthDuring({ pid }: Server, what: () => Promise<unknown>) {
  const before = residentOf(pid);
  let most = before;
  const looking = setInterval(() => {
    most = Math.max(most, residentOf(pid));
  }, 100);
  try {
    await what();
  } finally {
    clearInterval(looking);
  }
  return { before, most };
}

function residentOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
