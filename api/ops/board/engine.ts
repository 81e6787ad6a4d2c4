import { ensureInstallation } from '../../../shared/platform/installation/installation.ts';
import type { Backend } from '../../../workers/kernel/backend.ts';
import type { ApiContext } from '../../context.ts';

/** The queues' engine as the operators' pages look at it. */
export type Board = {
  readonly engine: 'redis' | 'postgres';
  /** Connects when first asked. */
  backend(): Promise<Backend>;
  /** Whether the engine can be reached, within a few seconds. */
  answers(): Promise<boolean>;
  /** What keeps jobs from being handed to the engine: a key is written for trial. Null when it takes writes, and on PostgreSQL. */
  trouble(): Promise<EngineTrouble | null>;
};

/** The engine gave no answer within a few seconds, or it refuses writes in these words. */
export type EngineTrouble = { kind: 'away' } | { kind: 'refuses'; words: string };

const PATIENCE = 4_000;

/**
 * Opens and loads nothing yet: the API serves without the queues' engine, and only who looks at the queues connects to
 * it. A broken connection is not news here: whoever looks next is told. It ends with the process.
 */
export function boardOf({ settings, database, ending, now }: ApiContext): Board {
  const { redisUrl, databaseDirectUrl } = settings;
  const engine = redisUrl ? 'redis' : 'postgres';
  let opening: Promise<Backend> | undefined;

  async function open(): Promise<Backend> {
    const { openBackend } = await import('../../../workers/kernel/backend.ts');
    return openBackend({
      redis_url: redisUrl,
      installation: await ensureInstallation(database, now()),
      database_url: databaseDirectUrl,
      served: 0,
      troubled: () => undefined,
    });
  }

  function backend(): Promise<Backend> {
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  ending.addEventListener('abort', () => opening?.then((opened) => opened.end()).catch(() => undefined));
  return {
    engine,
    backend,
    async answers() {
      return within(
        PATIENCE,
        backend().then((opened) => opened.ping()),
      ).then(
        () => true,
        () => false,
      );
    },
    async trouble() {
      // Who asks has just read from the same database.
      if (engine === 'postgres') return null;
      const { EngineRefusal } = await import('../../../workers/kernel/redis-trouble.ts');
      return within(
        PATIENCE,
        backend().then((opened) => opened.tryWrite()),
      ).then(
        () => null,
        (error): EngineTrouble =>
          error instanceof EngineRefusal ? { kind: 'refuses', words: error.message } : { kind: 'away' },
      );
    },
  };
}

/** Rejects as `asked` does, and when it takes longer. */
async function within(milliseconds: number, asked: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
