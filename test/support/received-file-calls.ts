import { kinds, receivedKinds } from '../../shared/received/documents/kinds.ts';
import type { Sales } from './deals.ts';
import { formOf, paper } from './received-files.ts';

/** By the ID of its endpoint, a call that adds a file to a received document. */
export const receivedFileCalls: Record<string, (sales: Sales) => Promise<{ path: string; body?: unknown }>> =
  Object.fromEntries(
    receivedKinds.map((kind) => [
      `received.${kinds[kind].resource}.files`,
      async (sales: Sales) => {
        const { id } = await sales.make(`/${kinds[kind].path}`, { company_name: '港文具' });
        return { path: `/${kinds[kind].path}/${id}/files`, body: formOf([paper('more')]) };
      },
    ]),
  );
