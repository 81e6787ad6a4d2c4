import type { TestApp } from './app.ts';
import { openForm } from './open-forms.ts';

type Owner = { organization_id: string; user_id: string };
type Call = { path: string; body: unknown };

const fields = [{ id: 'email', type: 'email', label: 'メール' }];
const data = { email: 'hanako@example.com' };

/** A call that succeeds, for every POST of submissions. */
export function formsSubmitCalls(app: TestApp): Record<string, (owner: Owner) => Promise<Call>> {
  const { database, anonymous } = app;
  return {
    'forms.responses.create': async (owner) => {
      const { form_id } = await openForm(database, owner, fields);
      return { path: `/forms/${form_id}/responses`, body: { data } };
    },
    'forms.form_tokens.create': async (owner) => {
      const { path } = await openForm(database, owner, fields);
      return { path: `${path}/tokens`, body: {} };
    },
    'forms.public_responses.create': async (owner) => {
      const { path } = await openForm(database, owner, fields);
      const { form_token } = (await anonymous.post(`${path}/tokens`, {})).body;
      return { path: `${path}/responses`, body: { form_token, data } };
    },
  };
}
