import type { Handled } from '../kernel/handler.ts';

/** The jobs of sign. */
export function signHandlers(): Handled[] {
  return [];
}
