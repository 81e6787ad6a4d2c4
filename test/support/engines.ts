import { after, before, describe } from 'node:test';
import { ensureInstallation } from '../../shared/platform/installation/installation.ts';
import type { Environment } from '../../shared/platform/settings/settings.ts';
import { freshDatabase, type TestDatabase } from './database.ts';
import { has_redis, startRedis, type TestRedis } from './redis.ts';

export type Engine = {
  name: 'postgres' | 'redis';
  /** A database of the block's own. */
  test_database: TestDatabase;
  redis: TestRedis | null;
  /** The ID by which the queues are named. */
  installation: string;
  /** What its processes are started with. */
  environment: Environment;
};

/** Runs the same tests on each engine of the queues. `engine` is whole once the tests run. */
export function onEachEngine(tests: (engine: Engine) => void): void {
  for (const name of ['postgres', 'redis'] as const) {
    const skip = name === 'redis' && !has_redis ? 'redis-server is not on the PATH' : false;
    describe(`queues on ${name}`, { skip }, () => {
      const engine = { name } as Engine;
      before(async () => {
        engine.test_database = await freshDatabase({ pool_size: 5 });
        engine.installation = await ensureInstallation(engine.test_database.database, new Date());
        engine.redis = name === 'redis' ? await startRedis() : null;
        engine.environment = { DATABASE_URL: engine.test_database.url, REDIS_URL: engine.redis?.url };
      });
      tests(engine);
      // Hooks run in their order: what the tests opened on the database is closed before it goes.
      after(async () => {
        await engine.redis?.stop();
        await engine.test_database?.drop();
      });
    });
  }
}
