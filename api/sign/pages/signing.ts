import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { deadlineText } from '../../../shared/sign/life/deadline.ts';
import { alert } from '../../pages/kit/fields.ts';
import type { LinkedVisit, Refused, View } from '../../pages/kit/page.ts';
import { accessForm } from './access.ts';
import { declineForm, forwardForm } from './others.ts';
import { signForm } from './panel.ts';
import { DRAWING_POLICY, paper } from './paper.ts';
import { SIGNING_SCRIPT } from './scripts.ts';
import type { SigningShown } from './shown.ts';
import { type State, stateLine, stateOf } from './state.ts';
import { toldOf } from './told.ts';
import { words } from './words.ts';

/** The page of a document for one of its signers: how it stands, the way in, and all that can be done. */
export function signingView(visit: LinkedVisit, signing: SigningShown, refused?: Refused): View {
  const { language } = visit;
  const { granted } = signing;
  const state = stateOf(signing, visit.steps.caller.now);
  const isLocked = signing.access === 'locked';
  const isDrawn = granted !== null;
  const canSign = state === 'open' && granted !== null;
  const body = html`<div class="signing!${canSign ? ' open' : ''}">
!${head(language, signing)}
!${stateLine(language, isLocked ? 'locked' : state)}
!${strayAlert(language, state, granted !== null, refused)}
!${granted === null && !isLocked && mayOpen(state) ? accessForm(visit, { language, signing, refused }) : ''}
!${granted === null ? '' : paper(visit, { language, signing, granted, state })}
!${canSign ? html`<div class="side">!${signForm(visit, { language, signing, granted, refused })}!${declineForm(visit, { language, refused })}!${signing.allow_forward ? forwardForm(visit, { language, refused }) : ''}</div>` : ''}
</div>`;
  return {
    title: signing.title,
    body,
    policy: isDrawn ? DRAWING_POLICY : {},
    frame: {
      name: signing.organization_name,
      head: isDrawn ? html`<script type="module" src="${SIGNING_SCRIPT}"></script>` : '',
    },
  };
}

/** What somebody else did is shown to nobody without access; what has ended opens for who could read it before. */
function mayOpen(state: State): boolean {
  return ['open', 'signed', 'approved', 'sealed', 'copy'].includes(state);
}

function head(language: Language, signing: SigningShown): string {
  const say = words[language];
  const { signer, sender_name, organization_name, expires_at, granted, title, status } = signing;
  const message = granted?.message ?? null;
  const facts = [
    [say.organization, html`${organization_name}`],
    [say.recipient, html`${signer.name} <span class="quiet">${signer.email}</span>`],
    ...(expires_at !== null && status === 'sent'
      ? [
          [
            say.expires,
            html`<time datetime="${expires_at}">${deadlineText(expires_at, { locale: language, time_zone: signing.time_zone })}</time>`,
          ] as const,
        ]
      : []),
  ] as const;
  return html`<header class="asked">
<p class="quiet">${say.asked[signer.role]} · ${say.from(sender_name)}</p>
<h1>${title}</h1>
<dl>!${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`).join('')}</dl>
!${message === null ? '' : html`<p class="message lines">${message}</p>`}
</header>`;
}

/** The refusal of a form that is not on the page any more. */
function strayAlert(
  language: Language,
  state: State,
  hasAccess: boolean,
  refused: Refused | undefined,
): string {
  if (!refused) return '';
  const action = refused.form.get('action');
  const isOfAccess = action === 'open' || action === 'send_code';
  const isShown = isOfAccess ? !hasAccess && mayOpen(state) : hasAccess && state === 'open';
  return isShown ? '' : alert(refused, language, toldOf(language, refused));
}
