import { html } from 'ghtml';
import type { Context } from 'koa';
import type { Html } from './parts.ts';

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

type Place = { path: string; label: string };

const PLACES: readonly { label: string; places: readonly Place[] }[] = [
  {
    label: 'Work',
    places: [
      { path: '/ops', label: 'Overview' },
      { path: '/ops/jobs', label: 'Jobs' },
      { path: '/ops/schedules', label: 'Schedules' },
      { path: '/ops/imports', label: 'Imports' },
      { path: '/ops/board', label: 'Queue board' },
    ],
  },
  {
    label: 'Mail',
    places: [
      { path: '/ops/mails', label: 'Mails in trouble' },
      { path: '/ops/mailbox', label: 'Mailbox' },
    ],
  },
];

export type OpsPage = {
  title: string;
  /** HTML whose values are escaped already. */
  body: Html;
  /** What stands beside the title: buttons, a state. */
  aside?: Html;
  /** The list that the page belongs to. */
  within?: Place;
  /** Whether its `data-live` parts are read again every few seconds, where scripts run. */
  live?: boolean;
  status?: number;
};

/** Answers a page for operators. */
export function sendPage(
  context: Context,
  { title, body, aside = '', within, live = false, status = 200 }: OpsPage,
): void {
  context.set('Content-Security-Policy', POLICY);
  // Forms of a page without a referrer come from the origin "null", which could be anybody's.
  context.set('Referrer-Policy', 'same-origin');
  context.status = status;
  context.type = 'html';
  context.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Operations</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/ops/style.css">
!${live ? '<script defer src="/ops/live.js"></script>' : ''}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="side">
<a class="brand" href="/ops">!${MARK} Operations</a>
<nav aria-label="Operations">
!${PLACES.map((group) => navigation(group, context.path))}
</nav>
</header>
<main id="main" tabindex="-1">
!${within ? html`<p class="within"><a href="${within.path}">← ${within.label}</a></p>` : ''}
<div class="head"><h1>${title}</h1>!${aside}</div>
!${body}
</main>
</body>
</html>
`;
}

/** Goes on to another page after a change, so that reading it again changes nothing more. */
export function goTo(context: Context, path: string): void {
  context.status = 303;
  context.set('Location', path);
}

const MARK =
  '<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path d="M2 15h4V9H2zM8 15h4V4H8zM14 15h4v-9h-4z"/></svg>';

function navigation({ label, places }: (typeof PLACES)[number], here: string): Html {
  const items = places.map(({ path, label: words }) => {
    const isHere = path === here;
    const isWithin = !isHere && path !== '/ops' && here.startsWith(`${path}/`);
    const current = isHere ? ' aria-current="page"' : isWithin ? ' aria-current="true"' : '';
    return html`<li><a href="${path}"!${current}>${words}</a></li>`;
  });
  return html`<h2>${label}</h2>
<ul>!${items}</ul>
`;
}
