import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { UIConfig } from '@bull-board/api/typings/app';
import { html } from 'ghtml';

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json')), 'dist');
const STATIC = join(FOLDER, 'static');

type BoardFile = { type: string; bytes: Buffer };

let names: ReadonlySet<string> | undefined;
const read = new Map<string, BoardFile>();

/** A file of the board by its path below `static/`; null for what is none. */
export function boardFile(path: string): BoardFile | null {
  names ??= new Set(globSync('**/*.{js,css,json,png,ico,svg}', { cwd: STATIC }));
  if (!names.has(path)) return null;
  const file = read.get(path) ?? { type: extname(path), bytes: readFileSync(join(STATIC, path)) };
  read.set(path, file);
  return file;
}

/**
 * The board's page with its own scripts and styles. Its index names a font of another host, so this one takes from it
 * only what stands in its own folder.
 */
export function boardIndex(base: string, config: UIConfig): string {
  const index = readFileSync(join(FOLDER, 'index.ejs'), 'utf8');
  const styles = [...index.matchAll(/href="(static\/css\/[\w.-]+)"/g)].map(([, path]) => path ?? '');
  const scripts = [...index.matchAll(/src="(static\/js\/[\w.-]+)"/g)].map(([, path]) => path ?? '');
  // In a script element no markup is read, so the JSON must hold none instead of being escaped.
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<base href="${base}">
<title>Queue board · Operations</title>
<link rel="icon" href="data:,">
!${styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}
</head>
<body>
<script id="__UI_CONFIG__" type="application/json">!${json}</script>
<div id="root"><p>The board needs JavaScript. <a href="/ops">The operators' pages</a> show the queues without.</p></div>
!${scripts.map((path) => html`<script defer src="${path}"></script>`)}
</body>
</html>
`;
}
