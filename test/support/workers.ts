import type { Environment } from '../../shared/settings.ts';
import { type Program, startProgram } from './program.ts';

export type TestWorkers = Program;

/** A real process of workers, ready to work. It ends with the test file at the latest. */
export function startWorkers(environment: Environment, words: string[] = []): Promise<TestWorkers> {
  return startProgram('workers/main.ts', environment, words);
}
