import asyncHooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { run } from 'node:test';

type Runner = { run: typeof run };
type Hook = { enable(): Hook; disable(): Hook };
type Callbacks = { init(id: number, type: string, trigger: number, resource: object): void };
type RunInScope = (fn: (...words: unknown[]) => unknown, self: unknown, ...words: unknown[]) => unknown;

const OF_THE_RUNNER = new Set(['Test', 'Suite', 'TestHook']);

/**
 * Loads Node's test runner so that it knows by the context of asynchronous calls which test is at work: what a test
 * begins ends with it, and what nobody caught fails it. By itself it follows each promise and handle from its making to
 * its collection (`async_hooks`), which is a tenth of all that the process does. To be called before anybody has loaded
 * `node:test`; tests-by-context.test.ts compares both ways.
 */
export async function runnerByContext(): Promise<Runner> {
  const { createHook, executionAsyncId } = asyncHooks;
  const running = new AsyncLocalStorage<number>();
  let callbacks: Callbacks | undefined;
  const none: Hook = { enable: () => none, disable: () => none };
  Object.assign(asyncHooks, {
    executionAsyncId: () => running.getStore() ?? 0,
    createHook: (given: Callbacks) => {
      callbacks = given;
      return none;
    },
  });
  const runner = await import('node:test');
  // It has taken its own of both; tests that count by hooks get Node's.
  Object.assign(asyncHooks, { createHook, executionAsyncId });

  const runInScope = AsyncResource.prototype.runInAsyncScope as RunInScope;
  const inContext: RunInScope = function (this: AsyncResource, fn, self, ...words) {
    if (!OF_THE_RUNNER.has(this.constructor.name)) return runInScope.call(this, fn, self, ...words);
    if (!callbacks) throw new Error('node:test was loaded before its runner could be told of contexts');
    const id = this.asyncId();
    callbacks.init(id, this.constructor.name, 0, this);
    return runInScope.call(this, () => running.run(id, () => Reflect.apply(fn, self, words)), null);
  };
  AsyncResource.prototype.runInAsyncScope = inContext as AsyncResource['runInAsyncScope'];
  return runner;
}
