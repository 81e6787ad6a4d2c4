import { invalidAll } from '../kernel/failure.ts';

/** Sees that a batch names each code once. Errors: `validation_failed` at /items/n/code. */
export function refuseRepeatedCodes(items: readonly { code: string }[]): void {
  const first = new Map<string, number>();
  const faults = items.flatMap(({ code }, index) => {
    const earlier = first.get(code);
    if (earlier === undefined) {
      first.set(code, index);
      return [];
    }
    const message = {
      en: `items/${earlier} has this code too`,
      ja: `items/${earlier} と同じコードです`,
    };
    return [{ in: 'body' as const, path: `/items/${index}/code`, code: 'duplicate', message }];
  });
  if (faults.length > 0) throw invalidAll(faults);
}
