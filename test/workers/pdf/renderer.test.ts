import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { CannotStart, TooLong, TooMuchMemory } from '../../../workers/pdf/render-failures.ts';
import type { Page } from '../../../workers/pdf/renderer.ts';
import { processesOf, readPdf, testRenderer, unhurried } from '../../support/rendering.ts';
import { until } from '../../support/until.ts';

const never = () => new Promise<never>(() => {});
const printed = async (page: Page) => {
  await page.setContent('<!doctype html><html lang="ja"><title>試験</title><p>髙﨑①㈱</p></html>');
  return page.pdf({ waitForFonts: false });
};

describe('the browser', () => {
  test('starts with the first document, serves the next ones, and leaves nothing when it is ended', async () => {
    const renderer = testRenderer();
    assert.deepEqual([renderer.pid(), renderer.homes()], [null, []]);
    const pdf = await renderer.render(printed, unhurried);
    assert.match(readPdf(pdf).text(), /髙﨑①㈱/);
    const pid = renderer.pid()!;
    await renderer.render(printed, unhurried);
    assert.equal(renderer.pid(), pid);
    assert.equal(renderer.homes().length, 1);
    await renderer.end();
    assert.equal(renderer.pid(), null);
    await until('no process is left', () => processesOf(pid).length === 0);
    assert.deepEqual(renderer.homes(), []);
  });

  test('is handed no secret of the service', async () => {
    process.env['AUTH_SECRET'] = 'nobody else may know this';
    const renderer = testRenderer();
    await renderer.render(printed, unhurried);
    for (const pid of processesOf(renderer.pid()!)) {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      assert.doesNotMatch(environment, /AUTH_SECRET|DATABASE_URL/);
    }
    await renderer.end();
  });

  test('is started anew after so many documents, one at a time', async () => {
    const renderer = testRenderer({ documents: 5 });
    const pids = new Set<number>();
    await Promise.all(
      Array.from({ length: 20 }, () =>
        renderer.render(async (page) => {
          pids.add(renderer.pid()!);
          assert.equal(renderer.homes().length, 1);
          return printed(page);
        }, unhurried),
      ),
    );
    assert.equal(pids.size, 4);
    for (const pid of pids) await until('no process is left', () => processesOf(pid).length === 0);
    assert.equal(renderer.pid(), null);
  });

  test('ends when there is nothing to do, and starts again', async () => {
    const renderer = testRenderer({ idle: 50 });
    await renderer.render(printed, unhurried);
    await until('it has ended', () => renderer.pid() === null && renderer.homes().length === 0);
    assert.ok((await renderer.render(printed, unhurried)).length > 0);
    await renderer.end();
  });

  test('has so many pages at a time; others wait, and those given up meanwhile do not begin', async () => {
    const renderer = testRenderer({ pages: 2 });
    const doors = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = doors.map((door) => renderer.render(() => door.promise, unhurried));
    const given_up = new AbortController();
    let began = 0;
    const count = async () => {
      began += 1;
    };
    const refused = renderer.render(count, given_up.signal);
    const waiting = renderer.render(count, unhurried);
    given_up.abort(new Error('given up'));
    doors[0]!.resolve();
    await assert.rejects(refused, /given up/);
    await waiting;
    assert.equal(began, 1);
    doors[1]!.resolve();
    await Promise.all(held);
    await renderer.end();
  });
});

describe('a browser that', () => {
  test('is killed in the middle is replaced, and the document made', async () => {
    const renderer = testRenderer();
    const pids: number[] = [];
    const pdf = await renderer.render(async (page) => {
      pids.push(renderer.pid()!);
      if (pids.length === 1) process.kill(renderer.pid()!, 'SIGKILL');
      return printed(page);
    }, unhurried);
    assert.match(readPdf(pdf).text(), /髙﨑①㈱/);
    assert.equal(new Set(pids).size, 2);
    await until('nothing of the first is left', () => processesOf(pids[0]!).length === 0);
    await until('one folder is left', () => renderer.homes().length === 1);
    await renderer.end();
  });

  test('loses a page in the middle gives the document another one', async () => {
    const renderer = testRenderer();
    let times = 0;
    const pdf = await renderer.render(async (page) => {
      times += 1;
      if (times === 1) await page.goto('chrome://crash').catch(never);
      return printed(page);
    }, unhurried);
    assert.deepEqual([times, readPdf(pdf).info()['Pages']], [2, '1']);
    await renderer.end();
  });

  test('is killed again and again is an error to be tried later', async () => {
    const renderer = testRenderer();
    const killing = renderer.render(() => {
      process.kill(renderer.pid()!, 'SIGKILL');
      return never();
    }, unhurried);
    await assert.rejects(killing, { name: 'Crashed' });
    assert.ok((await renderer.render(printed, unhurried)).length > 0);
    await renderer.end();
  });

  test('takes longer than it may is ended, and the next document is made', async () => {
    const renderer = testRenderer({ time: 5_000 });
    await renderer.render(async (page) => page.setContent('<p>'), unhurried);
    const pid = renderer.pid()!;
    // A page that computes on and on heeds nothing.
    const endless = renderer.render((page) => page.evaluate('for (;;) {}'), unhurried);
    await assert.rejects(endless, TooLong);
    await until('no process is left', () => processesOf(pid).length === 0);
    await renderer.end();
  });

  test('takes more memory than it may is ended', async () => {
    const renderer = testRenderer({ memory: 300 * 1024 * 1024 });
    const greedy = renderer.render(
      (page) => page.evaluate('const all = []; for (;;) all.push(new Array(100000).fill(Math.random()))'),
      unhurried,
    );
    await assert.rejects(greedy, TooMuchMemory);
    await renderer.end();
  });

  test('cannot be started says why', async () => {
    const missing = testRenderer({}, '/nowhere/chromium');
    await assert.rejects(missing.render(printed, unhurried), (error: Error) => {
      assert.ok(error instanceof CannotStart);
      assert.match(error.message, /^Chromium could not be started: .*\/nowhere\/chromium/);
      return true;
    });
    assert.deepEqual(missing.homes(), []);
    const broken = testRenderer({}, '/bin/false');
    await assert.rejects(broken.render(printed, unhurried), /^CannotStart: Chromium could not be started: /);
  });
});
