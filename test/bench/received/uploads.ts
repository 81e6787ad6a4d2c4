import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pdfOf } from '../../support/made-pdfs.ts';
import { openOffice } from '../cloud/office.ts';

const run = promisify(execFile);

const MiB = 1024 * 1024;
const AT_ONCE = 8;
const AIM = 64;

/**
 * By how much the API grows while eight invoices come at once, each with a PDF of 50 MiB that a process of its own opens, and how
 * much those processes hold.
 */
export async function uploads(): Promise<string> {
  const office = await openOffice();
  const { server, actor, folder } = office;
  const send = (path: string) =>
    run('curl', [
      '--silent',
      '--write-out',
      '\n%{http_code}',
      '-H',
      `Authorization: Bearer ${actor.secret}`,
      '-H',
      'Expect:',
      '-F',
      'data={}',
      '-F',
      `file=@${path}`,
      `${server.base_url}/api/v1/received-invoices`,
    ]);
  try {
    const small = join(folder, 'small.pdf');
    writeFileSync(small, largePdf(1_000));
    // The first request loads what all need.
    await send(small);
    const paths = Array.from({ length: AT_ONCE }, (_, n) => join(folder, `large-${n}.pdf`));
    for (const path of paths) writeFileSync(path, largePdf(50 * MiB - 2_000));
    const before = residentOf(server.pid);
    let [most, readers] = [before, 0];
    const looking = setInterval(() => {
      most = Math.max(most, residentOf(server.pid));
      readers = Math.max(readers, sumOf(childrenOf(server.pid).map(residentOf)));
    }, 50);
    const began = performance.now();
    const replies = await Promise.all(paths.map(send));
    const seconds = (performance.now() - began) / 1000;
    clearInterval(looking);
    for (const { stdout } of replies) {
      assert.match(stdout, /201$/);
      assert.doesNotMatch(stdout, /file_unreadable/);
    }
    return [
      `| ${AT_ONCE} invoices with a PDF of 50 MiB | before, MiB | most, MiB | growth | aim | its readers, MiB | seconds |`,
      '|---|---|---|---|---|---|---|',
      `| the API | ${before} | ${most} | ${most - before} | ${AIM} | ${readers} | ${seconds.toFixed(1)} |`,
    ].join('\n');
  } finally {
    await office.end();
  }
}

/** A PDF of one page, and of so many bytes that no page shows. */
function largePdf(size: number): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /Unseen 4 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>',
    { entries: '', stream: randomBytes(size) },
  ]);
}

function residentOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
