import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readRelease } from '../../../shared/kernel/version.ts';

const COMMIT = '2bec71d1c0c5b4f7c1f5b7f2f9a4b3a5d2e6f801';
const OTHER = 'f'.repeat(40);

/** What is read where these files stand. */
function release(files: Record<string, string>, gitCommit?: string) {
  const root = mkdtempSync(join(tmpdir(), 'version-'));
  after(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'package.json': '{ "version": "1.2.3" }', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  return readRelease({ gitCommit }, root);
}

describe('what runs', () => {
  test('is the version of package.json, and no commit where nobody knows it', () => {
    assert.deepEqual(release({}), { version: '1.2.3', commit: null });
    assert.equal(release({ commit: '' }).commit, null);
    assert.equal(release({ '.git/HEAD': 'ref: refs/heads/unborn' }).commit, null);
  });

  test('is the commit that is checked out, also in a further work tree and where branches are packed', () => {
    assert.equal(release({ '.git/HEAD': COMMIT }).commit, COMMIT);
    const branch = { '.git/HEAD': 'ref: refs/heads/main' };
    assert.equal(release({ ...branch, '.git/refs/heads/main': COMMIT }).commit, COMMIT);
    assert.equal(release({ ...branch, '.git/packed-refs': `${COMMIT} refs/heads/main` }).commit, COMMIT);
    const further = {
      '.git': 'gitdir: first/worktrees/one',
      'first/worktrees/one/HEAD': 'ref: refs/heads/one',
      'first/worktrees/one/commondir': '../..',
      'first/refs/heads/one': COMMIT,
    };
    assert.equal(release(further).commit, COMMIT);
  });

  test('is what the image or the environment says, before all else', () => {
    assert.equal(release({ '.git/HEAD': OTHER, commit: COMMIT }).commit, COMMIT);
    assert.equal(release({ '.git/HEAD': OTHER, commit: OTHER }, COMMIT).commit, COMMIT);
  });
});
