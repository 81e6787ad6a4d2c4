type Looks<Due> = {
  /** The next items that are due after one, in a fixed order; at first after none. */
  look: (after: Due | undefined) => Promise<Due[]>;
  /** The most items that one look answers: fewer are the last. */
  size: number;
  signal: AbortSignal;
  /** What is said of those that failed, after their number. */
  fault: string;
};

/**
 * Does what is due, one item after the other, and answers for how many `act` said that something happened. One that fails
 * stays for the next time, and does not keep the others from theirs; then this throws an `AggregateError` at the end.
 */
export async function eachDue<Due>(
  { look, size, signal, fault }: Looks<Due>,
  act: (item: Due) => Promise<boolean>,
): Promise<number> {
  const failed: unknown[] = [];
  let count = 0;
  let after: Due | undefined;
  for (;;) {
    const due = await look(after);
    for (const item of due) {
      if (signal.aborted) return count;
      try {
        if (await act(item)) count += 1;
      } catch (error) {
        failed.push(error);
      }
    }
    if (due.length < size) break;
    after = due.at(-1);
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} ${fault}`);
  return count;
}
