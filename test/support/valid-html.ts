import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const vnu = join(
  dirname(createRequire(import.meta.url).resolve('vnu-jar/package.json')),
  'build/dist/vnu.jar',
);

/** What the validator of the W3C says against a page. */
export function faultsOf(html: string): unknown[] {
  const { stderr } = spawnSync('java', ['-jar', vnu, '--format', 'json', '--errors-only', '-'], {
    input: html,
    encoding: 'utf8',
  });
  return (JSON.parse(stderr) as { messages: unknown[] }).messages;
}
