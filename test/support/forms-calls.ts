import type { Client } from './client.ts';
import { publishedForm } from './forms-made.ts';

type Call = { path: string; body?: unknown };

async function draft(client: Client): Promise<string> {
  return (await client.post('/forms', { title: 'お問い合わせ' })).body.form.id;
}

/** A call that succeeds, for every POST of forms. */
export const formsCalls: Record<string, (client: Client) => Promise<Call>> = {
  'forms.forms.create': async () => ({ path: '/forms', body: { title: '資料請求' } }),
  'forms.forms.publish': async (client) => {
    const { id } = await publishedForm(client);
    await client.patch(`/forms/${id}`, { title: '変更後' });
    return { path: `/forms/${id}/publish` };
  },
  'forms.forms.unpublish': async (client) => {
    const { id } = await publishedForm(client);
    return { path: `/forms/${id}/unpublish` };
  },
  'forms.forms.archive': async (client) => ({ path: `/forms/${await draft(client)}/archive` }),
  'forms.forms.duplicate': async (client) => ({ path: `/forms/${await draft(client)}/duplicate`, body: {} }),
  'forms.forms.validate': async (client) => ({
    path: `/forms/${await draft(client)}/validate`,
    body: { data: {} },
  }),
  'forms.forms.preview_link': async (client) => ({ path: `/forms/${await draft(client)}/preview-link` }),
};
