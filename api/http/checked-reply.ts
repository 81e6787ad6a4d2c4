import { z } from 'zod';
import { compiled } from './compiled.ts';
import type { JsonEndpoint } from './endpoint.ts';

/**
 * Checks an answer against its declared schema and answers it as it will be sent. An answer that breaks its
 * declaration is a fault of ours: it is thrown before anything is committed, and the caller sees `internal_error`.
 */
export function checkedReply(endpoint: Pick<JsonEndpoint, 'id' | 'reply'>, body: unknown): unknown {
  const result = compiled(endpoint.reply).safeParse(body);
  if (result.success) return result.data;
  throw new Error(`${endpoint.id} answered what it does not declare: ${z.prettifyError(result.error)}`);
}
