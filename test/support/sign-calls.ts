import type { Client } from './client.ts';
import { blankPdf, formOf } from './signing.ts';

type Call = { path: string; body?: unknown };

/** A call that succeeds, for every POST of signing. */
export const signCalls: Record<string, (client: Client) => Promise<Call>> = {
  'sign.documents.create': async () => ({
    path: '/sign/documents',
    body: formOf(blankPdf(), { title: '業務委託契約書' }),
  }),
  'sign.documents.batch': async (client) => {
    const { document } = (await client.post('/sign/documents', { title: '覚書' })).body;
    return { path: '/sign/documents/batch', body: { action: 'cancel', ids: [document.id] } };
  },
};
