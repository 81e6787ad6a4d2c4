import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import { form, hidden, type Option } from '../../pages/kit/fields.ts';
import { icons } from '../../pages/kit/icons.ts';
import type { Refused, Visit } from '../../pages/kit/page.ts';
import { type PlaceType, paragraphs, placeName } from './about.ts';
import type { Formats } from './format.ts';
import { type Question, questionFields } from './questions.ts';
import { words } from './words.ts';

/** A proposal as its guest sees it. */
export type ProposalShown = {
  title: string;
  duration_minutes: number;
  location: { type: PlaceType; label: string | null } | null;
  hosts: readonly { name: string }[];
  candidates: readonly { start: string; end: string; available: boolean }[];
  guest: { name: string };
  message: string | null;
  hold: 'tentative' | 'none';
  status: 'open' | 'accepted' | 'declined' | 'expired' | 'withdrawn';
  expires_at: string;
};

type Showing = {
  visit: Visit;
  language: Language;
  formats: Formats;
  proposal: ProposalShown;
  questions: readonly Question[];
  refused: Refused | undefined;
};

/** Times that an organization proposes: the guest takes one, or none. */
export function proposed(showing: Showing): string {
  const { language, formats, proposal } = showing;
  const say = words[language];
  const { status, hosts, location, message } = proposal;
  const names = hosts.map(({ name }) => name).join(language === 'ja' ? '、' : ', ');
  const head =
    status === 'open'
      ? html`<h1>${proposal.title}</h1><p>${say.proposal_of(proposal.guest.name)}</p>`
      : html`<div class="status ${status}">!${status === 'accepted' ? icons.done : icons.ended}<div><h1>${say.proposal_statuses[status]}</h1>
<p>${say.proposal_explained[status]}</p></div></div><h2>${proposal.title}</h2>`;
  return html`<section class="booked">
!${head}
<ul class="facts">
!${names ? html`<li>!${icons.person}<span>${names}</span></li>` : ''}
<li>!${icons.clock}<span>${formats.duration(proposal.duration_minutes)}</span></li>
!${location === null ? '' : html`<li>!${icons.place}<span>${placeName(language, location)}</span></li>`}
!${status === 'open' ? html`<li>!${icons.globe}<span>${say.times_in(formats.zone_name)}</span></li>` : ''}
</ul>
!${message === null ? '' : html`<div class="message">!${paragraphs(message)}</div>`}
!${status === 'open' ? answerForms(showing) : ''}
</section>`;
}

function answerForms(showing: Showing): string {
  const { visit, language, formats, proposal, questions, refused } = showing;
  const say = words[language];
  const until = Date.parse(proposal.expires_at);
  const time = `${formats.day(formats.date(until))} ${formats.clock(until)}`;
  const options = proposal.candidates.filter(({ available }) => available).map(candidate(formats));
  const gone = proposal.candidates.filter(({ available }) => !available);
  const code = refused?.failure.code;
  const accept = form(visit, {
    fields: [
      { name: 'start', label: say.candidates, autocomplete: 'off', type: 'one', options },
      ...questionFields(questions, language),
    ],
    button: say.accept,
    refused: refused?.form.get('action') === 'accept' ? refused : undefined,
    told: code === undefined ? undefined : say.refused[code],
    note: hidden('action', 'accept'),
  });
  const reason = {
    name: 'reason',
    label: say.optional(say.reason),
    type: 'long',
    autocomplete: 'off',
    optional: true,
    hint: say.decline_hint,
  } as const;
  return html`<p>${proposal.hold === 'tentative' ? say.held(time) : say.answer_until(time)}</p>
!${gone.map(({ start, end }) => html`<p class="quiet"><s>!${formats.span(Date.parse(start), Date.parse(end))}</s> ${say.taken}</p>`).join('')}
!${options.length > 0 ? html`<div class="accept">!${accept}</div>` : html`<p class="alert">${say.none_left}</p>`}
<details class="cancel"><summary>${say.decline}</summary>
!${form(visit, { fields: [reason], button: say.decline_now, note: hidden('action', 'decline') })}
</details>`;
}

function candidate(formats: Formats) {
  return ({ start, end }: ProposalShown['candidates'][number]): Option => ({
    value: start,
    label: start,
    html: formats.span(Date.parse(start), Date.parse(end)),
  });
}
