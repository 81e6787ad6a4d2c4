import type { TestApp } from './app.ts';
import { openForm } from './open-forms.ts';
import { storedForm } from './stored-responses.ts';
import { formWith } from './uploads.ts';

type Owner = { organization_id: string; user_id: string };
type Call = { path: string; body: unknown };

const PAPERS = { id: 'papers', type: 'file', label: '資料' };

/** A call that succeeds, for every POST of files and erasures of forms. */
export function formsGuardCalls({
  database,
  anonymous,
}: TestApp): Record<string, (owner: Owner) => Promise<Call>> {
  const token = async (owner: Owner) => {
    const { path } = await openForm(database, owner, [PAPERS]);
    return { path, form_token: (await anonymous.post(`${path}/tokens`, {})).body.form_token as string };
  };
  return {
    'forms.responses.erase': async () => ({
      path: '/forms/erase',
      body: { email: 'nobody@example.com', dry_run: true },
    }),
    'forms.files.upload': async ({ organization_id }) => {
      const form_id = await storedForm({ database, organization_id });
      return { path: `/forms/${form_id}/uploads`, body: formWith('a,b', { field_id: 'papers' }) };
    },
    'forms.public_files.upload': async (owner) => {
      const { path, form_token } = await token(owner);
      return { path: `${path}/uploads`, body: formWith('a,b', { form_token, field_id: 'papers' }) };
    },
    'forms.partials.create': async (owner) => {
      const { path, form_token } = await token(owner);
      return { path: `${path}/partials`, body: { form_token, data: {} } };
    },
  };
}
