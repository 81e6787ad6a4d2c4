import { ensureInstallation } from '../../../shared/installation/installation.ts';
import type { Backend } from '../../../workers/kernel/backend.ts';
import type { ApiContext } from '../../context.ts';

/** The queues' engine as the operators' pages look at it. */
export type Board = {
  readonly engine: 'redis' | 'postgres';
  /** Connects when first asked. */
  backend(): Promise<Backend>;
  /** Whether the engine can be reached, within a few seconds. */
  answers(): Promise<boolean>;
};

const PATIENCE = 4_000;

/**
 * Opens and loads nothing yet: the API serves without the queues' engine, and only who looks at the queues connects to
 * it. A broken connection is no news here: whoever looks next is told. It ends with the process.
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
      );
    },
  };
}

async function within(milliseconds: number, asked: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  asked.then(
    () => resolve(true),
    () => resolve(false),
  );
  return promise.finally(() => clearTimeout(timer));
}
