import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** Every TypeScript file of the repository, tests included. */
export const files = globSync('{api,shared,workers,start,migrations,test}/**/*.ts', { cwd: root })
  .concat('start.ts')
  .sort();

/** The files of the product. */
export const product = files.filter((file) => !file.startsWith('test/'));

/** An import of a file of the product; `to` is a file, or the name of a package. */
export type Import = { from: string; to: string; isType: boolean };

const IMPORT =
  /^(?:import|export)(?<type> type)?[^'"]*?from '(?<path>[^']+)'|^import '(?<bare>[^']+)'|import\('(?<late>[^']+)'\)/gm;

export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Every import of the product, those of types and late ones included. */
export const imports: readonly Import[] = product.flatMap((file) =>
  [...textOf(file).matchAll(IMPORT)].map(({ groups }) => {
    const path = groups!.path ?? groups!.bare ?? groups!.late!;
    const to = path.startsWith('.') ? normalize(join(dirname(file), path)) : path;
    return { from: file, to, isType: groups!.type !== undefined };
  }),
);
