import { z } from 'zod';
import type { JsonEndpoint } from './endpoint.ts';
import { passesUnchanged } from './unchanged.ts';

/**
 * Checks an answer against its declared schema and answers it as it will be sent. Nearly every one passes as it is, and
 * a page of fifty rows has thousands of fields: the schema itself parses only what the quick look is not sure of. An answer that breaks its
 * declaration is a fault of ours: it is thrown before anything is committed, and told to nobody.
 */
export function checkedReply(endpoint: JsonEndpoint, body: unknown): unknown {
  if (passesUnchanged(endpoint.reply)(body)) return body;
  const result = endpoint.reply.safeParse(body);
  if (result.success) return result.data;
  throw new Error(`${endpoint.id} answered what it does not declare: ${z.prettifyError(result.error)}`);
}
