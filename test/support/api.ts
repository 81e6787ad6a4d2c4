import type { Environment } from '../../shared/platform/settings/settings.ts';
import { type Program, startProgram } from './program.ts';

/** A real process of the API on its own port, ready to answer. It ends with the test file at the latest. */
export function startApi(port: number, environment: Environment): Promise<Program> {
  return startProgram('api/main.ts', {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    RATE_LIMIT_PER_MINUTE: '0',
    ...environment,
  });
}
