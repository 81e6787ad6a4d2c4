import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { documentImports } from '../../../shared/invoicing/imports/domains.ts';
import type { ImportDomain } from '../../../shared/platform/imports/domain.ts';
import { newActor } from '../../support/actors.ts';
import { freshDatabase } from '../../support/database.ts';
import { seedCompanies } from '../../support/many-records.ts';
import { importStored } from '../../support/stored-imports.ts';
import { startServer } from '../servers.ts';
import { importWorkers, peakOf } from './measuring.ts';

const DOCUMENTS = Number(process.env['BENCH_DOCUMENTS'] ?? 3_000);
const LINES = 4;
const COMPANIES = 300;
const CONNECTIONS = 16;

/**
 * Invoices of four lines: made of a file, sent again as they are and with other prices, and made by as many calls of the API, a
 * few at a time, on the same database. Empty where BENCH_DOCUMENTS is 0.
 */
export async function documentsTable(): Promise<string> {
  if (DOCUMENTS === 0) return '';
  const folder = mkdtempSync(join(tmpdir(), 'bench-documents-'));
  const test_database = await freshDatabase();
  const { database, url } = test_database;
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  };
  try {
    const actor = await newActor(database);
    const companies = await seedCompanies(database, actor, COMPANIES);
    const workers = await importWorkers(test_database, folder);
    const imported = async (price: number) => {
      const file = {
        body: Readable.from([Buffer.from(fileOf(companies, price))]),
        file_name: 'invoices.csv',
      };
      const domain = documentImports.invoice as unknown as ImportDomain;
      const { seconds, row } = await importStored({ database, folder, actor, file, domain });
      if (row.error_count > 0) throw new Error(`${row.error_count} rows were refused`);
      return Math.round(DOCUMENTS / seconds);
    };
    const [made, same, changed] = [await imported(100), await imported(100), await imported(200)];
    const peak = peakOf(workers);
    await workers.stop();
    const api = await startServer('ours', 'api/main.ts', { ...environment, RATE_LIMIT_PER_MINUTE: '0' });
    const called = await createdByCalls(api.base_url, actor.secret, companies);
    await api.stop();
    return [
      '| invoices of 4 lines | made/s | known/s | changed/s | by calls/s | made/by calls | peak MiB |',
      '|---|---|---|---|---|---|---|',
      `| ${DOCUMENTS} | ${made} | ${same} | ${changed} | ${called} | ${(made / called).toFixed(1)} | ${peak} |`,
    ].join('\n');
  } finally {
    await test_database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function fileOf(companies: readonly string[], price: number): string {
  const rows = Array.from({ length: DOCUMENTS }, (_, n) =>
    Array.from({ length: LINES }, (_, line) => {
      const company_id = companies[n % companies.length]!;
      return `B${n},${company_id},2026-04-30,コーヒー豆 ${line},${line + 1},${price}`;
    }),
  );
  return ['external_id,company_id,issue_date,description,quantity,unit_price', ...rows.flat()].join('\r\n');
}

/** How many invoices a second that many connections make, each the next one when its last one is there. */
async function createdByCalls(url: string, secret: string, companies: readonly string[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let next = 0;
  const began = performance.now();
  const connection = async () => {
    while (next < DOCUMENTS) {
      const n = next;
      next += 1;
      const body = JSON.stringify({
        company_id: companies[n % companies.length],
        issue_date: '2026-04-30',
        external_id: `C${n}`,
        line_items: Array.from({ length: LINES }, (_, line) => {
          return { description: `コーヒー豆 ${line}`, quantity: line + 1, unit_price: 100 };
        }),
      });
      await post(`${url}/api/v1/invoices`, { agent, secret, body });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  return Math.round(DOCUMENTS / ((performance.now() - began) / 1000));
}

type Post = { agent: Agent; secret: string; body: string };

function post(url: string, { agent, secret, body }: Post): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
    const sent = request(url, { method: 'POST', agent, headers }, (reply) => {
      reply.resume();
      reply.on('end', () =>
        reply.statusCode === 201 ? resolve() : reject(new Error(`The call was answered ${reply.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
