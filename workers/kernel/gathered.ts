import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds that a busy process waits for more to join. */
const MOMENT = 1;

/**
 * Does many at once what is asked for one at a time: whatever is asked while a call is under way becomes the next
 * call, so that a busy process makes few large ones and an idle one loses no time. After a call of several the next one
 * waits a moment: what runs side by side asks side by side. `run` answers in the order of its
 * items; when it throws, all of them fail.
 */
export function gathered<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  type Asked = { item: Item; answer: PromiseWithResolvers<Result> };
  let waiting: Asked[] = [];
  let busy = false;
  let crowded = false;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      if (crowded) await pause(MOMENT);
      const asked = waiting;
      waiting = [];
      crowded = asked.length > 1;
      try {
        const results = await run(asked.map(({ item }) => item));
        asked.forEach(({ answer }, place) => {
          answer.resolve(results[place] as Result);
        });
      } catch (error) {
        for (const { answer } of asked) answer.reject(error);
      }
    }
    busy = false;
  }

  return (item) => {
    const answer = Promise.withResolvers<Result>();
    waiting.push({ item, answer });
    if (!busy) {
      busy = true;
      setImmediate(work);
    }
    return answer.promise;
  };
}
