import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { domainsBelow, floorOf, floors, partOf } from './architecture/floors.ts';
import { files, imports, product, root } from './architecture/imports.ts';
import { picture } from './architecture/picture.ts';

/** Imports from files of one folder that reach what they must not. */
function crossing(from: RegExp, to: RegExp): string[] {
  return imports.filter((each) => from.test(each.from) && to.test(each.to)).map(arrow);
}

const ownImports = imports.filter(({ to }) => to.endsWith('.ts'));

function arrow({ from, to }: { from: string; to: string }): string {
  return `${from} -> ${to}`;
}

describe('dependencies point one way', () => {
  test('every file stands on a floor', () => {
    assert.deepEqual(
      product.filter((file) => floorOf(partOf(file)) === -1),
      [],
    );
  });

  test('no floor imports from a higher one, types included', () => {
    const upwards = ownImports.filter(({ from, to }) => floorOf(partOf(to)) < floorOf(partOf(from)));
    assert.deepEqual(upwards.map(arrow), []);
  });

  test('on one floor, a domain imports those below it, and /ops shows the queues with the code of the workers', () => {
    const beside = ownImports.filter(({ from, to }) => {
      const [source, target] = [partOf(from), partOf(to)];
      if (source === target || floorOf(source) !== floorOf(target)) return false;
      const below = domainsBelow[source.replace('shared/', '')] ?? [];
      return (
        !below.includes(target.replace('shared/', '')) &&
        !/^api\/ops\/.* -> workers\/kernel\//.test(arrow({ from, to }))
      );
    });
    assert.deepEqual(beside.map(arrow), []);
  });

  test('the picture of the floors is the one that the imports draw: npm run architecture', () => {
    assert.equal(floors.length, 8);
    assert.ok(readFileSync(join(root, 'docs/architecture.md'), 'utf8').includes(picture()));
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

  test('one file loads the library that opens PDFs', () => {
    assert.deepEqual(crossing(/^(?!shared\/platform\/pdf\/libpdf\.ts|test\/)/, /^@libpdf\/core$/), []);
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

  test('of test/support are listed in its README', () => {
    const text = readFileSync(join(root, 'test/support/README.md'), 'utf8');
    const listed = [...text.matchAll(/`([a-z0-9.-]+\.ts)`/g)].map(([, name]) => name);
    const there = files
      .filter((file) => /^test\/support\/[^/]+\.ts$/.test(file))
      .map((file) => file.split('/').at(-1)!);
    assert.deepEqual(listed.toSorted(), there.toSorted());
  });
});
