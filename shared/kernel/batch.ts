import { setTimeout as wait } from 'node:timers/promises';

/** Does for many what each of them asks for alone. It answers in the order of its items. */
export type Run<Item, Result> = (items: Item[]) => Promise<Result[]>;

export type BatchOptions = {
  /**
   * What makes a batch. `turn`: all that is asked for in one turn of the event loop; batches run side by side. `idle`:
   * all that is asked for while the batch before is under way, so that one runs at a time: a busy process makes few
   * large ones, and an idle one loses no time.
   */
  start: 'turn' | 'idle';
  /**
   * Who fails when `run` throws. `all`: every item of the batch. `first`: the first item alone, on whose behalf it ran;
   * the others run again, each alone with `turn`, at the head of the next batch with `idle`.
   */
  failure: 'all' | 'first';
  /** Milliseconds from the end of a batch of several to the next one (`idle`): who runs side by side asks side by side. */
  pause?: number;
  /** Items that a batch has at the most (`idle`); any number where it is absent. */
  most?: number;
};

type Asked<Item, Result> = { item: Item; answer: PromiseWithResolvers<Result> };

/** Makes batches of what is asked for one at a time. */
export function batcher<Item, Result>(
  run: Run<Item, Result>,
  options: BatchOptions,
): (item: Item) => Promise<Result> {
  return open(run, options, () => {});
}

/**
 * A batcher for each key, apart for each owner (a pool of connections, say). Neither is kept longer than somebody waits:
 * there may be as many keys as organizations.
 */
export function batcherPerKey<Item, Result>(
  run: Run<Item, Result>,
  options: BatchOptions,
): (owner: object, key: string, item: Item) => Promise<Result> {
  const owners = new WeakMap<object, Map<string, (item: Item) => Promise<Result>>>();
  return (owner, key, item) => {
    const batchers = owners.get(owner) ?? new Map<string, (item: Item) => Promise<Result>>();
    owners.set(owner, batchers);
    const ask = batchers.get(key) ?? open(run, options, () => batchers.delete(key));
    batchers.set(key, ask);
    return ask(item);
  };
}

/** Looks up by key: each key of a batch once, null for what is not found. Nothing is kept for a later call. */
export function batchedLookup<Value>(
  load: (keys: string[]) => Promise<Map<string, Value>>,
): (key: string) => Promise<Value | null> {
  const run = async (keys: string[]) => {
    const found = await load([...new Set(keys)]);
    return keys.map((key) => found.get(key) ?? null);
  };
  return batcher(run, { start: 'turn', failure: 'all' });
}

/** `empty` is called when nothing waits any more, and nothing runs that a later item would have to wait for. */
function open<Item, Result>(run: Run<Item, Result>, options: BatchOptions, empty: () => void) {
  let waiting: Asked<Item, Result>[] = [];
  const take = () => {
    const taken = waiting.slice(0, options.most);
    waiting = waiting.slice(taken.length);
    return taken;
  };

  async function runTurn(): Promise<void> {
    await endOfTurn();
    const batch = take();
    empty();
    const failed = await answerAll(run, batch, options);
    await Promise.all(failed.map((one) => answerAll(run, [one], options)));
  }

  async function runUntilIdle(): Promise<void> {
    await endOfTurn();
    while (waiting.length > 0) {
      const batch = take();
      waiting.unshift(...(await answerAll(run, batch, options)));
      await (options.pause && batch.length > 1 ? wait(options.pause) : endOfTurn());
    }
    isRunning = false;
    empty();
  }

  let isRunning = false;
  return (item: Item): Promise<Result> => {
    const answer = Promise.withResolvers<Result>();
    const isFirst = waiting.push({ item, answer }) === 1;
    if (options.start === 'turn') {
      if (isFirst) void runTurn();
    } else if (!isRunning) {
      isRunning = true;
      void runUntilIdle();
    }
    return answer.promise;
  };
}

/** Runs a batch and answers its items. Returns those that are to run again because another one failed. */
async function answerAll<Item, Result>(
  run: Run<Item, Result>,
  batch: Asked<Item, Result>[],
  { failure }: BatchOptions,
): Promise<Asked<Item, Result>[]> {
  try {
    const results = await run(batch.map(({ item }) => item));
    for (const [place, { answer }] of batch.entries()) answer.resolve(results[place]!);
    return [];
  } catch (error) {
    const failed = failure === 'all' ? batch : batch.slice(0, 1);
    for (const { answer } of failed) answer.reject(error);
    return batch.slice(failed.length);
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
