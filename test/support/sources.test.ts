import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportedNames, loadedWith } from './sources.ts';

test('the values that a file exports are found in each form', () => {
  const text = `
import { left } from './left.ts';
export type Left = string;
export const one = 1;
export async function two() {}
export function* three() {}
export class Four {}
export abstract class Five {}
export const { six, sixth: seven } = left;
export { eight, type Right, ninth as nine } from './right.ts';
export {
  ten,
  type Far,
};
export * as eleven from 'package';
  export const within = 1;
`;
  const names = ['one', 'two', 'three', 'Four', 'Five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'];
  assert.deepEqual(exportedNames(text).sort(), names.sort());
});

test('they are those that a loaded file has', async () => {
  for (const [path, text] of loadedWith('shared/sign/pki/authority.ts')) {
    // As it stands, and not from a bundle.
    const loaded = await import(`../../${path}?written`);
    assert.deepEqual(exportedNames(text).sort(), Object.keys(loaded).sort(), path);
  }
});

test('what is loaded with a file is found, types and what is loaded later left out', () => {
  const loaded = loadedWith('test/support/app.ts');
  for (const path of ['test/support/app.ts', 'api/app.ts', 'api/endpoints.ts', 'shared/db/database.ts'])
    assert.ok(loaded.has(path), path);
  for (const path of ['workers/kernel/backend.ts', 'shared/platform/storage/s3.ts'])
    assert.ok(!loaded.has(path), path);
});
