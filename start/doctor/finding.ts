/** What one check has found, in a line: what is there, or what is wrong and what to do. */
export type Finding = { grade: 'ok' | 'warn' | 'fail'; words: string };

/** One check of npm run doctor. Whatever it throws is a `fail` with the words of the error. */
export type Check = { name: string; run: () => Promise<Finding> };

export const ok = (words: string): Finding => ({ grade: 'ok', words });
export const warn = (words: string): Finding => ({ grade: 'warn', words });
export const fail = (words: string): Finding => ({ grade: 'fail', words });

/** Milliseconds after which a check counts as one that gets no answer. */
const PATIENCE = 90_000;

/** Runs a check; it always has a finding. */
export async function findingOf({ run }: Check): Promise<Finding> {
  const { promise: late, resolve } = Promise.withResolvers<Finding>();
  const timer = setTimeout(() => resolve(fail(`There was no answer within ${PATIENCE / 1000} s.`)), PATIENCE);
  try {
    return await Promise.race([run(), late]);
  } catch (error) {
    return fail(reasonOf(error));
  } finally {
    clearTimeout(timer);
  }
}

/** A check that says what to do about an error: `cureOf` answers a sentence, or nothing. */
export function cured(run: Check['run'], cureOf: (error: unknown) => string): Check['run'] {
  return async () => {
    try {
      return await run();
    } catch (error) {
      return advised(error, cureOf(error));
    }
  };
}

/** A `fail` with the words of an error and what to do about it. */
export function advised(error: unknown, cure: string): Finding {
  const reason = reasonOf(error);
  return fail(cure === '' ? reason : `${reason.replace(/\.$/, '')}. ${cure}`);
}

/** The sentence of an error and of what caused it, on one line and without the credentials of an address. */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    const { message, code } = each as NodeJS.ErrnoException;
    const said = message || code || each.name;
    if (!parts.some((part) => part.includes(said))) parts.push(said);
  }
  const text = parts.join(': ') || String(error);
  return text
    .replace(/\s+/g, ' ')
    .replace(/:\/\/[^\s/@]*@/g, '://***@')
    .slice(0, 500);
}
