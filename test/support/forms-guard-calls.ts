import type { TestApp } from './app.ts';
import { storedForm } from './stored-responses.ts';
import { formWith } from './uploads.ts';

type Call = { path: string; body: unknown };

/** A call that succeeds, for every POST of files and erasures of forms. */
export function formsGuardCalls({
  database,
}: TestApp): Record<string, (caller: { organization_id: string }) => Promise<Call>> {
  return {
    'forms.responses.erase': async () => ({
      path: '/forms/erase',
      body: { email: 'nobody@example.com', dry_run: true },
    }),
    'forms.files.upload': async ({ organization_id }) => {
      const form_id = await storedForm({ database, organization_id });
      return { path: `/forms/${form_id}/uploads`, body: formWith('a,b', { field_id: 'papers' }) };
    },
  };
}
