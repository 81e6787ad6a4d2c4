import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** What tests start as processes of their own, hundreds of times in a run. */
export const PROGRAMS = ['api/main.ts', 'workers/main.ts', 'test/workers/fixtures/workers.ts'] as const;

export type ProgramPath = (typeof PROGRAMS)[number];

/** The file that a test starts a program from: its source, or under `npm test` what bundle.ts made of it. */
export function programFile(path: ProgramPath): string {
  const bundled = process.env.TEST_PROGRAMS;
  return bundled === undefined ? resolve(root, path) : resolve(bundled, bundledName(path));
}

/** Its name in the folder of the bundled programs. */
export function bundledName(path: ProgramPath): string {
  return path.replace(/\.ts$/, '.mjs');
}
