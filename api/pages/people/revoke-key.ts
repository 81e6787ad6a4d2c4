import { html } from 'ghtml';
import { notFound } from '../../../shared/kernel/failure.ts';
import { isId } from '../../../shared/kernel/id.ts';
import { revokeApiKey } from '../../../shared/platform/access/api-keys/operations.ts';
import { apiKeyById } from '../../../shared/platform/access/api-keys/queries.ts';
import { form } from '../kit/fields.ts';
import type { Page, View, Visit } from '../kit/page.ts';
import { account, daysOf, requireOrganization, scopeList, signInFirst } from './account.ts';
import { accountWords } from './account-words.ts';

/** Asks before a key is revoked: what uses it stands still from then on, and nothing brings it back. */
export const revokeKeyPage: Page = {
  path: '/account/api-keys/:id/revoke',
  show: async (visit, refused) => {
    if (!visit.session) return signInFirst(visit);
    return refused ? account(visit, visit.session, refused) : question(visit);
  },
  submit: async (visit) => {
    const organization_id = requireOrganization(visit);
    const id = keyOf(visit);
    await visit.steps.write({ organization_id }, (work) => revokeApiKey(work, id));
    return { to: visit.link('/account') };
  },
};

/** The ID in the path. Errors: `not_found`. */
function keyOf({ param }: Visit): string {
  if (!isId(param, 'ak')) throw notFound();
  return param;
}

/** Which key it is, and what comes of it. Errors: `not_found`, also for a key that was revoked. */
async function question(visit: Visit): Promise<View> {
  const { language, steps, link } = visit;
  requireOrganization(visit);
  const id = keyOf(visit);
  const key = await steps.read((reader) => apiKeyById(reader, id));
  if (key.revoked_at !== null) throw notFound();
  const say = accountWords[language];
  const day = daysOf(language);
  const note = html`<p>${say.revoke_what}</p>
<dl>
<dt>${say.key_name}</dt><dd><strong>${key.name}</strong></dd>
<dt>${say.start}</dt><dd><code>${key.start}…</code></dd>
<dt>${say.scopes}</dt><dd>!${scopeList(language, key.scopes)}</dd>
<dt>${say.last_used}</dt><dd>${day(key.last_used_at) ?? say.never}</dd>
</dl>`;
  const after = html`<p><a href="${link('/account')}">${say.keep_key}</a></p>`;
  const body = html`<h1>${say.revoke_title}</h1>!${form(visit, { fields: [], note, button: say.revoke })}!${after}`;
  return { title: say.revoke_title, body };
}
