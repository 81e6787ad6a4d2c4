import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const vnu = join(
  dirname(createRequire(import.meta.url).resolve('vnu-jar/package.json')),
  'build/dist/vnu.jar',
);

/** It lives for a few pages: to compile it well takes longer than what it does. Code compiled so needs a larger stack. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xss8m'];

/** What the validator of the W3C says against pages: all those of a test at once, as each start takes seconds. */
export function faultsOf(pages: readonly string[]): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  try {
    const files = pages.map((html, nth) => {
      const file = join(folder, `${nth}.html`);
      writeFileSync(file, html);
      return file;
    });
    const words = [...SHORT_LIVED, '-jar', vnu, '--format', 'json', '--errors-only', ...files];
    const { stderr } = spawnSync('java', words, { encoding: 'utf8' });
    return (JSON.parse(stderr) as { messages: unknown[] }).messages;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
