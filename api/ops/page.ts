import { html } from 'ghtml';
import type { Context } from 'koa';
import type { Language, Text } from '../../shared/kernel/language.ts';
import { askedLanguage, languageLinkIn, languageOf } from '../pages/kit/language.ts';
import { LIVE_SCRIPT, liveControl } from '../pages/live.ts';
import type { Html } from './parts.ts';
import { type Speech, speechIn } from './speech.ts';

/** The page's own stylesheet, its one script, its own pictures and frames of this place; nothing else. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

type Place = { path: string; label: Text };

/** The lists that pages belong to. */
export const places = {
  overview: { path: '/ops', label: { en: 'Overview', ja: '概要' } },
  jobs: { path: '/ops/jobs', label: { en: 'Jobs', ja: 'ジョブ' } },
  schedules: { path: '/ops/schedules', label: { en: 'Schedules', ja: '定期処理' } },
  imports: { path: '/ops/imports', label: { en: 'Imports', ja: 'インポート' } },
  board: { path: '/ops/board', label: { en: 'Queue board', ja: 'キューボード' } },
  mails: { path: '/ops/mails', label: { en: 'Mails in trouble', ja: '問題のあるメール' } },
  mailbox: { path: '/ops/mailbox', label: { en: 'Mailbox', ja: 'メールボックス' } },
} satisfies Record<string, Place>;

const GROUPS: readonly { label: Text; places: readonly Place[] }[] = [
  {
    label: { en: 'Work', ja: '処理' },
    places: [places.overview, places.jobs, places.schedules, places.imports, places.board],
  },
  { label: { en: 'Mail', ja: 'メール' }, places: [places.mails, places.mailbox] },
];

const OPERATIONS: Text = { en: 'Operations', ja: '運用' };
const SKIP: Text = { en: 'Skip to the content', ja: '本文へ移動' };

export type OpsPage = {
  title: string;
  /** HTML whose values are escaped already. */
  body: Html;
  /** What stands beside the title: buttons, a state. */
  aside?: Html;
  /** The list that the page belongs to. */
  within?: Place;
  /** Whether its `data-live` parts are read again every few seconds, where scripts run; `until answered` of an outage. */
  live?: boolean | 'until answered';
  status?: number;
};

/** How the pages speak to who asks: `lang`, then `Accept-Language`. */
export function speechOf(context: Context, now: Date): Speech {
  return speechIn(languageOf(context), now);
}

/** Answers a page for operators. */
export function sendPage(context: Context, page: OpsPage): void {
  const language = languageOf(context);
  context.set('Content-Security-Policy', POLICY);
  // Forms of a page without a referrer come from the origin "null", which could be anybody's.
  context.set('Referrer-Policy', 'same-origin');
  context.set('Content-Language', language);
  context.vary('Accept-Language');
  context.status = page.status ?? 200;
  context.type = 'html';
  context.body = asked(context, wholeOf(context, page, language));
}

function wholeOf(
  context: Context,
  { title, body, aside = '', within, live = false }: OpsPage,
  language: Language,
): Html {
  const name = OPERATIONS[language];
  const control = live ? liveControl(language, { is_outage: live === 'until answered' }) : '';
  const kept = Object.fromEntries(new URLSearchParams(context.querystring));
  delete kept['lang'];
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/ops/style.css">
!${live ? html`<script defer src="${LIVE_SCRIPT}"></script>` : ''}
</head>
<body>
<a class="skip" href="#main">${SKIP[language]}</a>
<header class="side">
<a class="brand" href="/ops">!${MARK} ${name}</a>
<nav aria-label="${name}">
!${GROUPS.map((group) => navigation(group, context.path, language))}
</nav>
<p class="language">!${languageLinkIn(context.path, language, kept)}</p>
</header>
<main id="main" tabindex="-1">
!${within ? html`<p class="within"><a href="${within.path}">← ${within.label[language]}</a></p>` : ''}
<div class="head"><h1>${title}</h1>!${aside} !${control}</div>
!${body}
</main>
</body>
</html>
`;
}

/** Goes on to another page after a change, so that reading it again changes nothing more. */
export function goTo(context: Context, path: string): void {
  const language = askedLanguage(context);
  context.status = 303;
  context.set('Location', language === null ? path : withLanguage(path, language));
}

/**
 * The page with the language that was asked for in the address of each other page that it leads to. Values are escaped, so what looks
 * like an attribute is one.
 */
function asked(context: Context, whole: Html): Html {
  const language = askedLanguage(context);
  if (language === null) return whole;
  return whole
    .replaceAll(/ (href|action)="(\/ops(?:[/?#][^"]*)?)"/g, (found, name, value) => {
      if (value === '/ops/style.css' || /[?;]lang(=|&#61;)/.test(value)) return found;
      // A # after an & is of an escaped letter.
      const [path, ...anchor] = value.split(/(?<!&)(?=#)/);
      return ` ${name}="${withLanguage(path, language, '&amp;')}${anchor.join('')}"`;
    })
    .replaceAll(
      /(<form [^>]*method="get"[^>]*>)/g,
      `$1<input type="hidden" name="lang" value="${language}">`,
    );
}

function withLanguage(path: string, language: Language, and = '&'): string {
  return `${path}${path.includes('?') ? and : '?'}lang=${language}`;
}

const MARK =
  '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M2 15h4V9H2zM8 15h4V4H8zM14 15h4v-9h-4z"/></svg>';

function navigation({ label, places }: (typeof GROUPS)[number], here: string, language: Language): Html {
  const items = places.map(({ path, label: words }) => {
    const isHere = path === here;
    const isWithin = !isHere && path !== '/ops' && here.startsWith(`${path}/`);
    const current = isHere ? ' aria-current="page"' : isWithin ? ' aria-current="true"' : '';
    return html`<li><a href="${path}"!${current}>${words[language]}</a></li>`;
  });
  return html`<h2>${label[language]}</h2>
<ul>!${items}</ul>
`;
}
