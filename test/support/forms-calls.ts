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
  'forms.invitations.create': async (client) => {
    const { id } = await publishedForm(client);
    return {
      path: `/forms/${id}/invitations`,
      body: { recipients: [{ email: 'hanako@example.co.jp' }], send: true },
    };
  },
  'forms.responses.crm_link': async (client) => {
    const { id } = await publishedForm(client);
    const made = await client.post(`/forms/${id}/responses`, { data: { text: '資料をお願いします' } });
    const names = { last_name: '山田', first_name: '花子' };
    const contact_id = (await client.post('/crm/contacts', names)).body.contact.id;
    return { path: `/forms/${id}/responses/${made.body.response.id}/crm-link`, body: { contact_id } };
  },
  'forms.forms.preview_link': async (client) => ({ path: `/forms/${await draft(client)}/preview-link` }),
};
