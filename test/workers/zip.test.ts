import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import { memberNames } from '../../workers/batches/member-names.ts';
import { type ZipMember, zipOf } from '../../workers/batches/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'zip-'));
after(() => rmSync(folder, { recursive: true }));

const run = (command: string, words: string[]) =>
  execFileSync(command, words, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8' } });

/** The path of a zip with a member of each name, which holds its place. */
async function zipped(names: readonly string[]): Promise<string> {
  async function* members(): AsyncGenerator<ZipMember> {
    const at = new Date('2026-05-31T12:00:00Z');
    for (const [place, name] of memberNames(names).entries()) {
      yield { name, at, bytes: Buffer.from(`${place}`) };
    }
  }
  const file = join(folder, `${names.length}-${names[0]?.length}.zip`);
  writeFileSync(file, await buffer(zipOf(members())));
  return file;
}

describe('the names in a zip', () => {
  const table: [string, string[], string[]][] = [
    ['stay as they are', ['請求書_A-1_山田.pdf', 'b.pdf'], ['請求書_A-1_山田.pdf', 'b.pdf']],
    ['lead out of no folder', ['../../etc/passwd', '..', '/a.pdf'], ['_.._etc_passwd', 'file', '_a.pdf']],
    ['lead into no folder of Windows', ['C:\\a\\b.pdf', '..\\b.pdf'], ['C_a_b.pdf', '_b.pdf']],
    ['name no device', ['CON.pdf', 'com1.a.pdf', 'console.pdf'], ['_CON.pdf', '_com1.a.pdf', 'console.pdf']],
    ['are one line', ['a\r\nb\u0000c\u001b[31m.pdf'], ['a_b_c_[31m.pdf']],
    ['are not empty', ['', '.pdf', ' . .pdf'], ['file', 'file.pdf', 'file (2).pdf']],
    ['are numbered from the second on', ['a.pdf', 'a.pdf', 'a.pdf'], ['a.pdf', 'a (2).pdf', 'a (3).pdf']],
    ['are numbered past those taken', ['a (2).pdf', 'a.pdf', 'a.pdf'], ['a (2).pdf', 'a.pdf', 'a (3).pdf']],
    ['differ in more than case', ['a.pdf', 'A.PDF'], ['a.pdf', 'A (2).PDF']],
    ['differ in more than form', ['が.pdf', 'か\u3099.pdf'], ['が.pdf', 'か\u3099 (2).pdf']],
  ];
  for (const [words, names, expected] of table)
    test(words, () => assert.deepEqual(memberNames(names), expected));

  test('are safe and distinct, whatever they are made of', () => {
    const parts = fc.constantFrom('a', 'A', '.', '..', '/', '\\', ' ', ' (2)', '.pdf', '\n', '\u0000', 'が');
    const name = fc.array(parts, { maxLength: 6 }).map((chosen) => chosen.join(''));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 30 }), (names) => {
        const members = memberNames(names);
        assert.equal(new Set(members.map((one) => one.toLowerCase())).size, names.length);
        for (const one of members) assert.match(one, /^[^./\\\p{Cc}][^/\\\p{Cc}]*$/u);
      }),
    );
  });

  test('of a thousand that are the same are each thought of once', (context) => {
    const normalize = context.mock.method(String.prototype, 'normalize');
    const members = memberNames(Array.from({ length: 1_000 }, () => 'a.pdf'));
    assert.equal(members.at(-1), 'a (1000).pdf');
    assert.ok(normalize.mock.callCount() < 5_000, `${normalize.mock.callCount()} normalizations`);
  });
});

describe('a zip', () => {
  test('of a thousand members of one name is sound, each with its own bytes', async () => {
    const file = await zipped(Array.from({ length: 1_000 }, () => '請求書.pdf'));
    assert.match(run('unzip', ['-tqq', file]) || 'sound', /^sound$/);
    assert.equal(run('unzip', ['-Z1', file]).trim().split('\n').length, 1_000);
    assert.equal(run('unzip', ['-p', file, '請求書 (700).pdf']), '699');
  });

  test('of names that lead elsewhere is unpacked into its folder', async () => {
    const file = await zipped(['../../up.pdf', '/root.pdf', 'a/b.pdf', '..', 'a\nb.pdf']);
    const target = join(folder, 'unpacked');
    run('unzip', ['-q', file, '-d', target]);
    const names = run('find', [target, '-type', 'f', '-printf', '%P\n']).trim().split('\n');
    assert.deepEqual(names.sort(), ['_.._up.pdf', '_root.pdf', 'a_b (2).pdf', 'a_b.pdf', 'file']);
  });
});
