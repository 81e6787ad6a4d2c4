import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, '../../migrations');

/** Changes with every change of a migration, so that a template of an older schema is never used. */
export function schemaFingerprint(): string {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const texts = files.sort().map((name) => `${name}\n${readFileSync(join(FOLDER, name), 'utf8')}`);
  return hash('sha256', texts.join('\n')).slice(0, 12);
}
