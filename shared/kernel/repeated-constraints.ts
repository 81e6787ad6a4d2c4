/** What a transaction fails with that may simply be run again. */
const SERIALIZATION_FAILURE = '40001';

/** The constraints whose breach is no fault of the caller of a work: it runs again. */
export class RepeatedConstraints {
  readonly #learning = new Map<string, () => void>();

  /** `learn` is called before the work runs again. */
  add(constraint: string, learn: () => void): void {
    this.#learning.set(constraint, learn);
  }

  /** Waits for what was sent. The breach of one of the constraints becomes a failure after which transactions run again. */
  async orAgain(sent: Promise<void>): Promise<void> {
    try {
      await sent;
    } catch (error) {
      const learn = this.#learning.get((error as { constraint?: string }).constraint ?? '');
      learn?.();
      throw learn ? Object.assign(error as object, { code: SERIALIZATION_FAILURE }) : error;
    }
  }
}
