import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { measures } from '../../shared/domains.ts';
import { serviceGauges } from '../../shared/platform/operators/gauges.ts';
import { processMetrics } from '../../shared/platform/operators/process-metrics.ts';
import { workerGroups } from '../../start/groups.ts';
import { jobMetrics } from '../../workers/kernel/metrics.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { livelyOperations } from '../support/lively-operations.ts';

const folder = resolve(import.meta.dirname, '../../deploy');
const text = (path: string) => readFileSync(join(folder, path), 'utf8');

/** Debian's package `prometheus` has it; where it is not, its tests are skipped and say so. */
const has_promtool = (process.env.PATH ?? '').split(delimiter).some((path) => {
  try {
    accessSync(join(path, 'promtool'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
});
const skip = has_promtool ? false : 'promtool is not on the PATH';

const database = await freshDatabase();
after(() => database.drop());
const app = await startApp({ database });
await livelyOperations(database.database, new Date());

function promtool(words: string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', words, { input, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  return stdout + stderr;
}

/** What a process of workers tells besides the numbers of the whole service. */
async function workersMetrics(): Promise<string> {
  const registry = new Registry();
  processMetrics(registry);
  jobMetrics(registry).observe({ queue: 'email', job: 'mailer.send', outcome: 'done', seconds: 0.2 });
  return registry.metrics();
}

async function apiMetrics(): Promise<string> {
  await (await app.actor()).get('/crm/contacts');
  return (await fetch(`${app.base_url}/metrics`)).text();
}

type Rule = { alert: string; expr: string; annotations: { runbook: string } };
const rules = (parse(text('prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
type Dashboard = { panels: { targets?: { expr: string }[] }[] };
const dashboard = JSON.parse(text('grafana/dashboard.json')) as Dashboard;

describe('what is told', () => {
  test('the numbers of the service stand in the first answer already', async () => {
    const told = await apiMetrics();
    assert.match(told, /^queue_depth\{queue="email",state="failed"\} 2$/m);
    assert.match(told, /^queue_depth\{queue="email",state="later"\} 1$/m);
    assert.match(told, /^worker_processes 2$/m);
    assert.match(told, /^build_info\{version="\d+\.\d+\.\d+",commit="\w+"\} 1$/m);
    assert.match(told, /^mails\{status="unknown"\} 1$/m);
    assert.match(told, /^imports_open\{status="running"\} 1$/m);
    assert.match(told, /^import_rows_total\{outcome="created"\} 669227$/m);
    assert.match(told, /^schedule_failing\{schedule="loose_files"\} 1$/m);
    assert.match(told, /^database_size_bytes [1-9]\d{6,}$/m);
  });

  test('without a database the other numbers can still be had', async () => {
    const gone = await freshDatabase();
    await gone.drop();
    const registry = new Registry();
    serviceGauges(registry, { database: gone.database, clock: () => new Date(), measures });
    const told = await registry.metrics();
    assert.match(told, /# TYPE queue_depth gauge/);
    assert.doesNotMatch(told, /^(queue_depth|worker_processes|database_)/m);
  });

  test('the names are those that Prometheus asks for', { skip }, async () => {
    promtool(['check', 'metrics'], await apiMetrics());
    promtool(['check', 'metrics'], await workersMetrics());
  });
});

describe('the example of a configuration', () => {
  test('asks every process that npm start runs', () => {
    type Config = { scrape_configs: { static_configs: { targets: string[] }[] }[] };
    const { scrape_configs } = parse(text('prometheus/prometheus.yml')) as Config;
    const [api, workers] = scrape_configs.map(({ static_configs }) => static_configs[0]?.targets ?? []);
    assert.deepEqual(api, ['127.0.0.1:3000']);
    assert.deepEqual(
      workers,
      workerGroups.map((_, index) => `127.0.0.1:${9464 + index}`),
    );
  });
});

describe('the alarms', () => {
  test('are twenty-eight, each with its part in the handbook', () => {
    assert.equal(rules.length, 28);
    const handbook = readFileSync(resolve(folder, '../docs/operations.md'), 'utf8');
    for (const { alert, annotations } of rules) {
      assert.equal(annotations.runbook, `docs/operations.md#${alert.toLowerCase()}`);
      assert.match(handbook, new RegExp(`^### ${alert}$`, 'm'));
    }
  });

  test('sound when they should and not otherwise', { skip }, () => {
    promtool(['check', 'config', join(folder, 'prometheus/prometheus.yml')]);
    promtool(['test', 'rules', join(folder, 'prometheus/alerts.test.yml')]);
  });

  test('and the panels of the dashboard ask for numbers that are told', async () => {
    const told = `${await apiMetrics()}${await workersMetrics()}`;
    const names = new Set([...told.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
    const asked = [...rules, ...dashboard.panels.flatMap(({ targets = [] }) => targets)].flatMap(
      ({ expr }) => [
        ...expr.replace(/"[^"]*"/g, '').matchAll(/\b(?!up\b)([a-z]+(?:_[a-z0-9]+)+|mails)\b(?!\s*\()/g),
      ],
    );
    const words = new Set(asked.map(([, name = '']) => name.replace(/_(bucket|count)$/, '')));
    const labels = ['job_name'];
    assert.deepEqual(
      [...words].filter((word) => !names.has(word) && !labels.includes(word)),
      [],
    );
    assert.ok(words.size > 15);
  });
});
