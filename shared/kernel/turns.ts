import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which a computation holds the process before others have their turn. */
const SLICE = 10;

/** A computation that can pause at each `yield`. It knows no clock: who runs it says whether it does. */
export type Pausing<Result> = Generator<void, Result, void>;

/** The result of a computation, without a pause. */
export function atOnce<Result>(computation: Pausing<Result>): Result {
  for (;;) {
    const { done, value } = computation.next();
    if (done) return value;
  }
}

/**
 * The result of a computation during which the process answers others: whenever it has held the process for 10 ms by the
 * clock (milliseconds), it goes on with the next turn of the event loop.
 */
export async function inTurns<Result>(
  computation: Pausing<Result>,
  clock: () => number = () => performance.now(),
): Promise<Result> {
  for (let began = clock(); ; ) {
    const { done, value } = computation.next();
    if (done) return value;
    if (clock() - began < SLICE) continue;
    await turn();
    began = clock();
  }
}
