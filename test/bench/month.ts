import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newActor, type TestActor } from '../support/actors.ts';
import { freshDatabase } from '../support/database.ts';
import { formWith } from '../support/uploads.ts';
import { startWorkers } from '../support/workers.ts';
import { startServer } from './servers.ts';

const COUNT = Number(process.env['BENCH_ROWS'] ?? 300);

// biome-ignore lint/suspicious/noExplicitAny: any answer is read here.
type Shown = any;

const amountOf = (n: number) => (n % 9) * 1_296 + 550;

const places = <Row>(row: (n: number) => Row): Row[] => Array.from({ length: COUNT }, (_, n) => row(n + 1));

/**
 * The month of an office by files and filters, and by a call for each invoice and transfer, step by step in turns: on one API
 * process, one worker and one database, in two organizations that are alike. Single calls go one after the other, as the program of
 * an office sends them.
 */
export async function bench(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-month-'));
  const { database, url, drop } = await freshDatabase();
  const environment = { DATABASE_URL: url, DATA_DIR: folder };
  const server = await startServer('ours', 'api/main.ts', {
    ...environment,
    AUTH_SECRET: 'a secret of the benchmark, long enough',
  });
  const workers = await startWorkers(environment, ['--queues', 'csv-import']);
  const office = (actor: TestActor) => officeOf(server.base_url, actor);
  try {
    const many = office(await newActor(database));
    const one = office(await newActor(database));
    for (const { send } of [many, one]) {
      for (const n of places((place) => place)) {
        await send('POST', '/crm/companies', { name: `月末商事${n}`, external_id: `K${n}` });
      }
    }
    await database.withConnection('*', ({ query }) => query('VACUUM ANALYZE'));
    const lines = [
      '| step | calls | s | a call each: calls | s | seconds, ours/each |',
      '|---|---|---|---|---|---|',
    ];
    for (const [step, byMany, byOne] of steps(many, one)) {
      const [ours, each] = [await timed(many, byMany), await timed(one, byOne)];
      lines.push(
        `| ${step} | ${ours.calls} | ${ours.seconds.toFixed(1)} | ${each.calls} | ${each.seconds.toFixed(1)} | ` +
          `${(ours.seconds / each.seconds).toFixed(2)} |`,
      );
    }
    for (const { send } of [many, one]) {
      const { ageing } = await send('GET', '/invoices/ageing');
      assert.equal(ageing.totals.balance, 0, 'all is paid');
    }
    return lines.join('\n');
  } finally {
    await workers.stop();
    await server.stop();
    await drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Office = ReturnType<typeof officeOf>;

function steps(many: Office, one: Office): [string, () => Promise<void>, () => Promise<void>][] {
  const invoices: Shown[] = [];
  return [
    [
      'make invoices',
      () => many.imported('/invoices/import', monthFile()),
      async () => {
        for (const n of places((place) => place)) {
          const { items } = await one.send('GET', `/crm/companies?external_id=K${n}`);
          const line_items = [
            { description: '豆', quantity: n % 9, unit_price: '1200', tax_category: 'reduced' },
            { description: '配送', unit_price: '500' },
          ].filter(({ quantity }) => quantity !== 0);
          const company_id = items[0].id;
          const made = await one.send('POST', '/invoices', {
            company_id,
            issue_date: '2026-04-30',
            line_items,
          });
          invoices.push(made.invoice);
        }
      },
    ],
    [
      'approve',
      () => many.job('/invoices/batch', { action: 'approve', filter: { status: 'draft' } }),
      async () => {
        for (const { id } of invoices) await one.send('POST', `/invoices/${id}/approve`);
      },
    ],
    [
      'enter the statement, match it',
      async () => {
        await many.imported('/deposits/import', statementFile());
        await many.send('GET', '/deposits/matches?limit=300&sort=created_at:asc');
        await many.job('/deposits/batch', { action: 'match', filter: { has_unallocated: true } });
      },
      async () => {
        for (const n of places((place) => place)) {
          const asked = {
            amount: String(amountOf(n)),
            payer_name: `月末商事${n}`,
            received_on: '2026-05-29',
          };
          const { items } = await one.send('GET', `/deposits/suggestions?${new URLSearchParams(asked)}`);
          const { allocations } = items[0];
          await one.send('POST', '/deposits', {
            amount: amountOf(n),
            payer_name: asked.payer_name,
            received_on: asked.received_on,
            allocations: allocations.map(({ invoice_id, amount }: Shown) => ({ invoice_id, amount })),
          });
        }
      },
    ],
  ];
}

function monthFile(): string {
  const rows = places((n) => {
    const beans = `S-${n},K${n},2026-04-30,豆,${n % 9},1200,軽減8%`;
    const delivery = `S-${n},K${n},2026-04-30,配送,1,500,10%`;
    return n % 9 === 0 ? delivery : `${beans}\r\n${delivery}`;
  });
  return ['請求書番号,取引先コード,請求日,品名,数量,単価,税率', ...rows].join('\r\n');
}

function statementFile(): string {
  const rows = places((n) => `2026/5/29,振込 月末商事${n},,"${amountOf(n)}"`);
  return ['日付,摘要,出金額,入金額', ...rows].join('\r\n');
}

/** The calls of an office, counted. */
function officeOf(base_url: string, { secret }: TestActor) {
  const office = {
    calls: 0,
    async send(method: string, path: string, body?: object): Promise<Shown> {
      office.calls += 1;
      const reply = await fetch(`${base_url}/api/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${secret}`,
          ...(body && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
        },
        ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      assert.ok(reply.ok, `${path}: ${reply.status} ${text}`);
      return reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
    },
    async job(path: string, body: object): Promise<void> {
      const { job } = await office.send('POST', path, body);
      // Only waits for what was asked for, so it is no call of the office.
      office.calls -= 1;
      assert.match(await office.send('GET', `/jobs/${job.id}/events`), /"status":"succeeded"/);
    },
    imported: (path: string, file: string) => office.job(path, formWith(file)),
  };
  return office;
}

async function timed(office: Office, step: () => Promise<void>): Promise<{ calls: number; seconds: number }> {
  const [calls, begin] = [office.calls, performance.now()];
  await step();
  return { calls: office.calls - calls, seconds: (performance.now() - begin) / 1000 };
}
