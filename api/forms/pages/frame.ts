import { html } from 'ghtml';
import type { Schema } from '../../../shared/forms/schema/schema.ts';
import { isOrigin } from '../../../shared/kernel/origin.ts';
import type { View } from '../../pages/kit/page.ts';
import { PAGE_SCRIPT, PROOF_SCRIPT } from './scripts.ts';

/** What all pages of a form look like, and who may show them. */
export type Look = {
  organization: { name: string };
  embed_origins: readonly string[];
  schema: Schema | null;
};

/**
 * The frame of a page: the organization's name, the scripts, and the policy that lets these in, the form go to where its endings
 * lead, and the sites show it that may. A browser holds the address that a form is redirected to against that policy too.
 */
export function framed({ organization, embed_origins, schema }: Look, view: View): View {
  const origins = (schema?.endings ?? []).flatMap(({ redirect_url }) =>
    redirect_url === undefined ? [] : [new URL(redirect_url).origin],
  );
  // What was stored before only origins were taken names no site in a policy.
  const targets = [...new Set(origins)].filter(isOrigin);
  const parents = embed_origins.filter(isOrigin);
  return {
    ...view,
    frame: {
      name: organization.name,
      head: html`<script type="module" src="${PAGE_SCRIPT}"></script><script type="module" src="${PROOF_SCRIPT}"></script>`,
    },
    policy: {
      ...view.policy,
      'script-src': "'self'",
      'form-action': ["'self'", ...targets].join(' '),
      'frame-ancestors': parents.join(' ') || "'none'",
    },
  };
}
