import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openApiFile } from '../../../api/openapi.ts';

type Parameter = { name: string; in: string; schema: { pattern?: string } };
type PathItem = Record<string, { parameters?: Parameter[] }>;

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

  it('has paths of which one alone fits any request', () => {
    const paths = Object.entries((JSON.parse(file) as { paths: Record<string, PathItem> }).paths);
    const both = paths.flatMap((one, index) =>
      paths
        .slice(index + 1)
        .flatMap((other) => (canBothFit(one, other) ? [`${one[0]} and ${other[0]}`] : [])),
    );
    assert.deepEqual(both, []);
  });

  it('has no fault and no warning for Redocly', async () => {
    assert.match(await lint('redocly', 'lint', 'docs/openapi.json'), /is valid/);
  });
});

/**
 * Whether some request has a method and a path that are in both, neither being the other with a word in place of a
 * parameter: there the word wins, as OpenAPI says.
 */
function canBothFit([one, oneItem]: [string, PathItem], [other, otherItem]: [string, PathItem]): boolean {
  const [left, right] = [one.split('/'), other.split('/')];
  if (left.length !== right.length) return false;
  if (!Object.keys(oneItem).some((method) => method in otherItem)) return false;
  const fits = left.map((word, index) => {
    const against = right[index] as string;
    return takes(oneItem, word, against) || takes(otherItem, against, word);
  });
  if (!fits.every(Boolean)) return false;
  const isWiderAt = (wide: string[], narrow: string[]) =>
    wide.some((word, index) => isParameter(word) && !isParameter(narrow[index] as string));
  return isWiderAt(left, right) === isWiderAt(right, left);
}

function isParameter(word: string): boolean {
  return word.startsWith('{');
}

/** Whether a part of a path takes another path's part: a word itself alone, a parameter what its pattern takes. */
function takes(item: PathItem, part: string, other: string): boolean {
  if (!isParameter(part)) return part === other;
  if (isParameter(other)) return true;
  return Object.values(item).some(({ parameters = [] }) => {
    const parameter = parameters.find(({ name, in: where }) => where === 'path' && `{${name}}` === part);
    return !parameter?.schema.pattern || new RegExp(parameter.schema.pattern).test(other);
  });
}
