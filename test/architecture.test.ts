import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const files = globSync('{api,shared,workers,start,migrations,test}/**/*.ts', { cwd: root })
  .concat('start.ts')
  .sort();
const product = files.filter((file) => !file.startsWith('test/'));

type Import = { from: string; to: string; isType: boolean };

const IMPORT =
  /^(?:import|export)(?<type> type)?[^'"]*?from '(?<path>[^']+)'|^import '(?<bare>[^']+)'|import\('(?<late>[^']+)'\)/gm;

const imports: Import[] = product.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(({ groups }) => {
    const path = groups!.path ?? groups!.bare ?? groups!.late!;
    const to = path.startsWith('.') ? normalize(join(dirname(file), path)) : path;
    return { from: file, to, isType: groups!.type !== undefined };
  });
});

/** Imports from files of one folder that reach what they must not. */
function crossing(from: RegExp, to: RegExp): string[] {
  return imports
    .filter((each) => from.test(each.from) && to.test(each.to))
    .map((each) => `${each.from} -> ${each.to}`);
}

describe('dependencies point one way', () => {
  test('shared knows neither the API nor the workers', () => {
    assert.deepEqual(crossing(/^shared\//, /^(api|workers|start)\//), []);
  });

  test('the API and the workers do not know each other', () => {
    assert.deepEqual(
      crossing(/^api\//, /^(workers|start)\//).filter((each) => !each.startsWith('api/ops/')),
      [],
    );
    assert.deepEqual(crossing(/^workers\//, /^(api|start)\//), []);
  });

  test('the kernel knows nobody', () => {
    assert.deepEqual(crossing(/^shared\/kernel\//, /^(shared\/(?!kernel\/)|api|workers)/), []);
  });

  test('nothing of the product imports a test', () => {
    assert.deepEqual(crossing(/./, /^test\//), []);
  });

  test('HTTP exists in the API alone', () => {
    assert.deepEqual(crossing(/^(shared|workers)\//, /^(koa|@koa\/router)$/), []);
  });

  test('BullMQ exists in the workers, for the operators and where its schema is made, alone', () => {
    assert.deepEqual(crossing(/^(?!workers\/|api\/ops\/|migrations\/queues)/, /^bullmq$/), []);
  });

  test('the driver of the database is known to shared/db and to those who need a connection of their own', () => {
    const allowed =
      /^(shared\/db\/|workers\/kernel\/|api\/auth\/|api\/http\/limits|shared\/platform\/access\/)/;
    assert.deepEqual(
      imports
        .filter(({ from, to, isType }) => to === 'pg' && !isType && !allowed.test(from))
        .map(({ from }) => from),
      [],
    );
  });

  test('nobody imports in a circle, types neither', () => {
    const next = Map.groupBy(imports, ({ from }) => from);
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const walk = (file: string, path: string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const { to } of next.get(file) ?? []) if (next.has(to)) walk(to, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of product) walk(file, []);
    assert.deepEqual(circles, []);
  });
});

describe('files', () => {
  test('have 300 lines at most', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301);
    assert.deepEqual(long, []);
  });

  test('have no name that says nothing', () => {
    const empty = files.filter((file) =>
      /(service|manager|helper|utils?|common|misc)s?[.-]/i.test(file.split('/').at(-1)!),
    );
    assert.deepEqual(
      empty.filter((file) => file !== 'test/start/service.ts'),
      [],
    );
  });

  test('leave nothing for later', () => {
    const later = files.filter((file) =>
      /\b(TODO|FIXME|XXX|HACK)\b/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(
      later.filter((file) => file !== 'test/architecture.test.ts'),
      [],
    );
  });

  test('switch no check off without saying why', () => {
    const silent = files.flatMap((file) =>
      [
        ...readFileSync(join(root, file), 'utf8').matchAll(
          /biome-ignore [^:\n]+:?\s*(?<reason>[^\n]*)|@ts-(ignore|nocheck)/g,
        ),
      ]
        .filter(({ groups }) => (groups?.reason ?? '').length < 8)
        .map(() => file),
    );
    assert.deepEqual(
      silent.filter((file) => file !== 'test/architecture.test.ts'),
      [],
    );
  });
});
