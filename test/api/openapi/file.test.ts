import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openApiFile } from '../../../api/openapi.ts';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** Runs a linter as a person would, at the root; its output when it finds something. */
async function lint(...command: string[]): Promise<string> {
  const [program, ...words] = command as [string, ...string[]];
  const { stdout, stderr } = await run(resolve(root, 'node_modules/.bin', program), words, {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  }).catch((error: { stdout: string; stderr: string }) => assert.fail(`${error.stdout}${error.stderr}`));
  return stdout + stderr;
}

describe('docs/openapi.json', () => {
  const file = readFileSync(resolve(root, 'docs/openapi.json'), 'utf8');

  it('is what the endpoints say', () => {
    // Not assert.equal: the difference of two texts of this size helps nobody.
    assert(file === openApiFile(), 'docs/openapi.json is stale: run "npm run openapi" and commit the file');
  });

  it('has no fault and no warning for Spectral', async () => {
    assert.match(
      await lint('spectral', 'lint', '--fail-severity', 'hint', 'docs/openapi.json'),
      /No results/,
    );
  });

  it('has no fault and no warning for Redocly', async () => {
    assert.match(await lint('redocly', 'lint', 'docs/openapi.json'), /is valid/);
  });
});
