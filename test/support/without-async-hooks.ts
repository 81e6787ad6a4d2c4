import asyncHooks from 'node:async_hooks';

/**
 * Node's test runner follows every promise and handle with `async_hooks`, to say which test an error that nobody caught
 * comes from: a quarter of all that a process of tests does. Called before `node:test` is loaded, this leaves the
 * following out; such an error ends the process at once instead, so that no test waits for what never comes.
 */
export function withoutAsyncHooks(): void {
  const none = { enable: () => none, disable: () => none };
  Object.assign(asyncHooks, { createHook: () => none });
  const end = (error: unknown) => {
    process.stderr.write(`Nobody caught: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  };
  process.on('uncaughtException', end).on('unhandledRejection', end);
}
