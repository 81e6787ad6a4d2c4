import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { prepared } from '../../../workers/pdf/prepared.ts';

const root = mkdtempSync(join(tmpdir(), 'prepared-'));
after(() => rmSync(root, { recursive: true, force: true }));

const now = new Date('2026-04-10T03:00:00Z');
const folder = () => mkdtempSync(join(root, 'folder-'));

/** Makes a folder with one file, and counts how often. */
function making() {
  const made = { times: 0 };
  const make = async (path: string) => {
    made.times += 1;
    await mkdir(path);
    await writeFile(join(path, 'font'), 'whole');
  };
  return { made, make };
}

describe('what is prepared', () => {
  test('is made once', async () => {
    const { made, make } = making();
    const [folders, name] = [[folder()], 'fonts-1'];
    const path = await prepared({ folders, name, make }, now);
    assert.equal(await prepared({ folders, name, make }, now), path);
    assert.deepEqual([made.times, readFileSync(join(path, 'font'), 'utf8')], [1, 'whole']);
  });

  test('is the one that another process made meanwhile, and leaves nothing else', async () => {
    const place = folder();
    const { make } = making();
    const late = async (path: string) => {
      await make(path);
      await make(join(place, 'fonts-1'));
    };
    const path = await prepared({ folders: [place], name: 'fonts-1', make: late }, now);
    assert.deepEqual([readdirSync(place), readFileSync(join(path, 'font'), 'utf8')], [['fonts-1'], 'whole']);
  });

  test('goes to the next place where nothing can be written, and says so where there is none', async () => {
    const { make } = making();
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    const place = folder();
    const path = await prepared({ folders: [file, place], name: 'fonts-1', make }, now);
    assert.equal(path, join(place, 'fonts-1'));
    await assert.rejects(prepared({ folders: [file], name: 'fonts-1', make }, now), /fonts-1 cannot be put/);
  });

  test('takes the place of an earlier release once nobody uses that, and of what was broken off', async () => {
    const { make } = making();
    const place = folder();
    const aged = (name: string, minutes: number) => {
      writeFileSync(join(place, name), '');
      const at = new Date(now.getTime() - minutes * 60_000);
      utimesSync(join(place, name), at, at);
    };
    aged('fonts-0', 8 * 24 * 60);
    aged('fonts-9', 60);
    aged('fonts-1.77.part', 11);
    aged('fonts-1.78.part', 9);
    aged('chromium-0', 8 * 24 * 60);
    await prepared({ folders: [place], name: 'fonts-1', make }, now);
    assert.deepEqual(readdirSync(place), ['chromium-0', 'fonts-1', 'fonts-1.78.part', 'fonts-9']);
  });

  test('is not there where its making failed', async () => {
    const place = folder();
    const make = async (path: string) => {
      await mkdir(path);
      throw new Error('the disk is full');
    };
    await assert.rejects(prepared({ folders: [place], name: 'fonts-1', make }, now), /disk is full/);
    assert.ok(!existsSync(join(place, 'fonts-1')));
    assert.deepEqual(readdirSync(place), []);
  });
});
