import { hash } from 'node:crypto';
import { html } from 'ghtml';
import { isOrigin } from '../../../shared/kernel/origin.ts';
import type { View } from '../../pages/kit/page.ts';
import { ZONE_SCRIPT } from '../../pages/time-zone.ts';
import { accentOf } from './color.ts';

/** What all pages of an organization's bookings look like. */
export type Look = {
  organization: { name: string };
  settings: { color: string | null; embed_origins: readonly string[] };
};

/**
 * The frame of a page: the organization's name and colour, and the origins that may show the page within a page of theirs.
 * The colour is the only style beside the stylesheet; the policy names it by its hash. `picks_zone` lets the script in.
 */
export function framed({ organization, settings }: Look, view: View, picks_zone = false): View {
  const style = settings.color === null ? null : styleOf(settings.color);
  // What was stored before only origins were taken names no site in a policy.
  const parents = settings.embed_origins.filter(isOrigin);
  const script = picks_zone ? html`<script src="${ZONE_SCRIPT}" defer></script>` : '';
  return {
    ...view,
    frame: {
      name: organization.name,
      head: `${style === null ? '' : `<style>${style}</style>`}${script}`,
    },
    policy: {
      ...view.policy,
      'frame-ancestors': parents.join(' ') || "'none'",
      ...(style !== null && { 'style-src': `'self' 'sha256-${hash('sha256', style, 'base64')}'` }),
      ...(picks_zone && { 'script-src': "'self'" }),
    },
  };
}

function styleOf(color: string): string {
  const { fill, on, light, dark } = accentOf(color);
  const root = `:root{--fill:${fill};--on:${on};--accent:${light}}`;
  return `${root}@media (prefers-color-scheme:dark){:root{--accent:${dark}}}`;
}
