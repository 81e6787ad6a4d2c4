import { kinds, receivedKinds } from '../../shared/received/documents/kinds.ts';
import type { Sales } from './deals.ts';

/** By the ID of its endpoint, a call about received documents that succeeds. */
export const receivedCalls: Record<string, (sales: Sales) => Promise<{ path: string; body?: unknown }>> =
  Object.fromEntries(
    receivedKinds.map((kind) => [
      `received.${kinds[kind].resource}.create`,
      async () => ({ path: `/${kinds[kind].path}`, body: { company_name: '港文具' } }),
    ]),
  );
