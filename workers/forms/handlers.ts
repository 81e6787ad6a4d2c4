import type { Handled } from '../kernel/handler.ts';

/** The jobs of forms. */
export function formsHandlers(): Handled[] {
  return [];
}
