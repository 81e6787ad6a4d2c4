import { html } from 'ghtml';
import { domains, roleGrants } from '../../../shared/domains.ts';
import { Failure, notFound } from '../../../shared/kernel/failure.ts';
import { isId } from '../../../shared/kernel/id.ts';
import { NO_ORGANIZATION } from '../../../shared/kernel/reader.ts';
import type { Grant } from '../../../shared/kernel/scope.ts';
import { createApiKey } from '../../../shared/platform/access/api-keys/operations.ts';
import { createOrganization } from '../../../shared/platform/access/organizations/operations.ts';
import { OrganizationInput } from '../../../shared/platform/access/organizations/record.ts';
import { activateOrganization, placeSession } from '../../../shared/platform/access/sessions/operations.ts';
import { ApiKeyInput } from '../../access/api-keys.ts';
import type { Credential } from '../../http/credential.ts';
import { versions } from '../../versions.ts';
import { copyScript } from '../docs/copy.ts';
import { words as docsWords } from '../docs/words.ts';
import { alert, button, type Field, form, parsed } from '../kit/fields.ts';
import type { Language } from '../kit/language.ts';
import type { Page, Refused, View, Visit } from '../kit/page.ts';
import { type Overview, overviewOf } from './account-overview.ts';
import { accountWords } from './account-words.ts';
import { downloadWords } from './downloads-words.ts';
import { scopeChoice } from './scope-choice.ts';
import { nameOfScope } from './scope-words.ts';
import { roleNames, words } from './words.ts';

/** Where a signed-in person sees their organizations and makes API keys. */
export const accountPage: Page = {
  path: '/account',
  show: async (visit, refused) =>
    visit.session ? account(visit, visit.session, refused) : signInFirst(visit),
};

export const newOrganizationPage: Page = {
  path: '/account/organizations',
  show: backUnlessRefused,
  submit: async (visit, sent) => {
    const { steps, link } = visit;
    const { id, user_id } = requireSession(visit);
    const input = parsed(OrganizationInput, { name: sent.get('organization_name') });
    await steps.write({ organization_id: NO_ORGANIZATION }, async (work) => {
      const made = await createOrganization(work, input, user_id, versions[0]!.version, domains);
      await placeSession(work, id, user_id, made.id);
    });
    return { to: link('/account') };
  },
};

export const activatePage: Page = {
  path: '/account/organizations/:id/activate',
  show: backUnlessRefused,
  submit: async (visit) => {
    const { steps, link, param } = visit;
    const { id, user_id } = requireSession(visit);
    if (!isId(param, 'org')) throw notFound();
    await steps.write({ organization_id: NO_ORGANIZATION }, (work) =>
      activateOrganization(work, id, user_id, param),
    );
    return { to: link('/account') };
  },
};

export const newKeyPage: Page = {
  path: '/account/api-keys',
  show: backUnlessRefused,
  submit: async (visit, sent) => {
    const organization_id = requireOrganization(visit);
    const input = parsed(ApiKeyInput, {
      name: sent.get('key_name'),
      scopes: sent.all('scopes'),
      expires_at: endOfDay(sent.get('expires_on')),
    });
    const { api_key, secret } = await visit.steps.write({ organization_id }, (work) =>
      createApiKey(work, input, roleGrants),
    );
    const say = accountWords[visit.language];
    const body = html`<h1>${say.key_made}</h1>
<p role="status">${say.key_once(api_key.name)}</p>
<pre class="secret" tabindex="0" aria-label="${say.secret}"><code>${secret}</code></pre>
<p class="quiet">${say.select_all}</p>
<p><a href="${visit.link('/account')}">${say.back}</a></p>
!${copyScript(visit.language)}`;
    return { status: 201, title: say.key_made, body, policy: { 'script-src': "'self'" } };
  },
};

/** The last moment of a day in Japan, as the API takes it; null where none was chosen. */
function endOfDay(day: string): string | null {
  return day === '' ? null : `${day}T23:59:59.999+09:00`;
}

export function signInFirst({ link }: Visit) {
  return { to: link('/sign-in') };
}

/** What these paths have to show is the account page, with what was refused. */
async function backUnlessRefused(visit: Visit, refused?: Refused) {
  if (!visit.session) return signInFirst(visit);
  return refused ? account(visit, visit.session, refused) : { to: visit.link('/account') };
}

function requireSession({ session }: Visit): Credential {
  if (!session) throw new Failure('missing_credentials');
  return session;
}

/** The organization that they look at. Errors: `missing_credentials`, `no_active_organization`. */
export function requireOrganization(visit: Visit): string {
  const { organization_id } = requireSession(visit);
  if (organization_id === null) throw new Failure('no_active_organization');
  return organization_id;
}

/** The page of their account, with what was refused. */
export async function account(visit: Visit, session: Credential, refused?: Refused): Promise<View> {
  const { language } = visit;
  const say = accountWords[language];
  const overview = await overviewOf(visit.steps, session);
  const body = html`<h1>${words[language].account}</h1>
!${hasFields(refused) ? '' : alert(refused, language)}
<p>${overview.user.name} (${overview.user.email})</p>
<ul class="ways"><li><a href="${visit.link('/downloads')}">${downloadWords[language].title}</a></li>
<li><a href="${visit.link('/docs')}">${docsWords.documentation[language]}</a></li></ul>
!${button(visit, { action: '/sign-out', label: words[language].sign_out })}
<h2>${say.organizations}</h2>
!${organizations(visit, overview)}
<h3>${say.new_organization}</h3>
!${form(visit, {
    action: '/account/organizations',
    fields: [{ name: 'organization_name', label: say.organization_name, autocomplete: 'organization' }],
    button: say.create,
    refused: refusedField(refused, 'organization_name'),
  })}
!${overview.active ? keys(visit, overview, refusedField(refused, 'key_name')) : ''}`;
  return { title: words[language].account, body, is_wide: true };
}

/** Whether what was refused is one of the forms with fields, which tells it itself. */
function hasFields(refused: Refused | undefined): boolean {
  return ['organization_name', 'key_name'].some((field) => refused?.form.has(field));
}

/**
 * What was refused of the form with that field. Both forms have a `name` as the API knows it, and two of that name
 * cannot stand on one page.
 */
function refusedField(refused: Refused | undefined, field: string): Refused | undefined {
  if (!refused?.form.has(field)) return undefined;
  const { code, details } = refused.failure;
  const fields: Record<string, string> = { '/name': `/${field}`, '/expires_at': '/expires_on' };
  const errors = (details.errors ?? []).map((fault) => ({
    ...fault,
    path: fields[fault.path] ?? fault.path,
  }));
  return { form: refused.form, failure: new Failure(code, { ...details, errors }) };
}

function organizations(visit: Visit, { memberships, active }: Overview): string {
  const say = accountWords[visit.language];
  if (memberships.length === 0) return html`<p>${say.no_organization}</p>`;
  const rows = memberships.map(({ id, name, role }) => {
    const isActive = id === active?.id;
    const action = `/account/organizations/${id}/activate`;
    const state = isActive
      ? html`<strong>${say.active}</strong>`
      : button(visit, { action, label: say.activate, about: name });
    return html`<tr><th scope="row">${name}</th><td>${roleNames[visit.language][role]}</td><td>!${state}</td></tr>`;
  });
  return table(say.organizations, [say.organization_name, say.role, say.state], rows);
}

/** The days of keys as a page tells them, by the calendar of Japan; null of null. */
export function daysOf(language: Language): (instant: string | null) => string | null {
  const dateStyle = language === 'ja' ? 'long' : 'medium';
  const format = Intl.DateTimeFormat(language, { dateStyle, timeZone: 'Asia/Tokyo' });
  return (instant) => instant && format.format(new Date(instant));
}

function keys(
  visit: Visit,
  { keys: all, more_keys, scopes }: Overview,
  refused: Refused | undefined,
): string {
  const { language } = visit;
  const say = accountWords[language];
  const day = daysOf(language);
  const rows = all.map(({ id, name, start, scopes: own, created_at, last_used_at, expires_at }) => {
    const revoke = html`<a class="button plain" href="${visit.link(`/account/api-keys/${id}/revoke`)}" aria-label="${`${say.revoke_key} ${name}`}">${say.revoke_key}</a>`;
    return html`<tr><th scope="row">${name}</th><td data-label="${say.start}"><code>${start}…</code></td>
<td data-label="${say.scopes}">!${scopeList(language, own)}</td><td data-label="${say.created}">${day(created_at)}</td>
<td data-label="${say.last_used}">${day(last_used_at) ?? say.never}</td>
<td data-label="${say.expires_on}">${day(expires_at) ?? say.no_expiry}</td><td>!${revoke}</td></tr>`;
  });
  const heads = [say.key_name, say.start, say.scopes, say.created, say.last_used, say.expires_on, say.state];
  const fields: Field[] = [
    { name: 'key_name', label: say.key_name, autocomplete: 'off' },
    {
      name: 'expires_on',
      label: say.expires_on,
      hint: say.expires_hint,
      type: 'date',
      autocomplete: 'off',
      optional: true,
    },
  ];
  return html`<h2>${say.keys}</h2>
!${rows.length > 0 ? table(say.keys, heads, rows, 'table cards') : html`<p>${say.no_key}</p>`}
!${more_keys ? html`<p>${say.more_keys}</p>` : ''}
<h3>${say.new_key}</h3>
!${form(visit, {
    action: '/account/api-keys',
    fields,
    after: scopeChoice(language, scopes, refused),
    button: say.create,
    refused,
  })}`;
}

/** The scopes of a key in words; several are opened, so that the rows stay short. */
export function scopeList(language: Visit['language'], scopes: readonly Grant[]): string {
  const names = scopes.map((scope) => nameOfScope(scope, language));
  if (names.length === 1) return html`${names[0]}`;
  return html`<details><summary>${accountWords[language].scope_count(names.length)}</summary><ul>!${names.map((name) => html`<li>${name}</li>`).join('')}</ul></details>`;
}

function table(caption: string, heads: readonly string[], rows: readonly string[], style = 'table'): string {
  return html`<div class="${style}" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>!${heads.map((head) => html`<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>!${rows.join('\n')}</tbody>
</table></div>`;
}
