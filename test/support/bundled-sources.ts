import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = `${pathToFileURL(resolve(import.meta.dirname, '../..')).href}/`;

/**
 * From now on this process loads the files of source that `bundleSources` put into this folder from there. The tests
 * themselves, and what is not in it, are loaded from where they are.
 */
export function loadFromBundle(folder: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const url = specifier.endsWith('.ts') ? URL.parse(specifier, context.parentURL)?.href : undefined;
      if (!url?.startsWith(root)) return next(specifier, context);
      const bundled = join(folder, url.slice(root.length).replace(/\.ts$/, '.mjs'));
      if (!existsSync(bundled)) return next(specifier, context);
      return { url: pathToFileURL(bundled).href, format: 'module', shortCircuit: true };
    },
  });
}
