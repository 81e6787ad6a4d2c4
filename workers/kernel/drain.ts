import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Relay } from './relay.ts';
import type { Schedules } from './schedules.ts';
import type { Serving } from './serve.ts';
import type { Throughput } from './throughput.ts';

/** Milliseconds that jobs have to finish by themselves, and then to be put back. Both end before `start` loses patience. */
const PATIENCE = 14_000;
const HANDING_BACK = 2_000;

/** Milliseconds to close the relay's connection. */
const CLOSING = 500;

export type DrainOptions = {
  why: string;
  servings: readonly Serving[];
  relay: Relay;
  schedules: Schedules;
  minutes: Throughput;
  log: Logger;
  clock: () => Date;
};

/**
 * Takes nothing new, lets what runs finish or come to the end of a part, and hands back what is left then, so that
 * another process takes it at once. One line tells what was going on, another what was handed back. The relay's
 * connection is closed last: it holds the lock that says that the process is alive, and without it other processes
 * would begin what still runs here.
 */
export async function drain({
  why,
  servings,
  relay,
  schedules,
  minutes,
  log,
  clock,
}: DrainOptions): Promise<void> {
  const now = clock().getTime();
  const running = servings
    .flatMap((serving) => serving.running())
    .map(({ since, ...job }) => ({ ...job, seconds: Math.round((now - since.getTime()) / 1000) }));
  log.info({ why, running }, 'The workers are draining');
  const idle = Promise.all([...servings.map((serving) => serving.drain()), relay.stop(), schedules.end()]);
  await Promise.race([idle, pause(PATIENCE)]);
  for (const serving of servings) serving.handBack();
  await Promise.race([Promise.all([idle, minutes.end()]), pause(HANDING_BACK)]);
  await Promise.race([relay.end(), pause(CLOSING)]);
  const handed_back = servings.flatMap((serving) => serving.handedBack());
  log.info({ handed_back }, 'The workers have stopped');
}
