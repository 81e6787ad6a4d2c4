import { TryLater } from '../kernel/handler.ts';

/** Chromium cannot be started on this machine as it is. The message says why, in words for operators. */
export class CannotStart extends TryLater {
  override name = 'CannotStart';
}

/** Chromium ended, or lost its page, while it rendered. */
export class Crashed extends TryLater {
  override name = 'Crashed';
}

/** A document took longer than it may. */
export class TooLong extends TryLater {
  override name = 'TooLong';
}

/** A document took more memory than it may. */
export class TooMuchMemory extends TryLater {
  override name = 'TooMuchMemory';
}
