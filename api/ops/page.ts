import { hash } from 'node:crypto';
import { html } from 'ghtml';
import type { Context } from 'koa';

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1a1a1a; }
h1 { font-size: 1.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #d4d4d4; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
a { color: #1d4ed8; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f5f5f5; padding: 1rem; }
iframe { width: 100%; height: 32rem; border: 1px solid #d4d4d4; }
`;

/** The page's own style and frames of this place; nothing else, and no script. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers a page for operators; `content` is HTML whose values are escaped already. */
export function sendPage(context: Context, title: string, content: string): void {
  context.set('Content-Security-Policy', POLICY);
  context.type = 'html';
  context.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>!${STYLE}</style>
</head>
<body>
<nav aria-label="Operators"><a href="/ops">Queues</a> · <a href="/ops/mails">Mails in trouble</a> · <a href="/ops/mailbox">Mailbox</a></nav>
<main>
<h1>${title}</h1>
!${content}
</main>
</body>
</html>
`;
}
