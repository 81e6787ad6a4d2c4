import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');

export type ComposeService = {
  build?: string;
  image: string;
  user?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  volumes?: string[];
  ports?: string[];
  profiles?: string[];
  logging?: { driver: string; options: Record<string, string> };
};

export type Compose = {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks?: Record<string, { ipam: { config: { subnet: string }[] } }>;
};

/** `!reset` takes away what the file before has: here it stands for the value that it leaves. */
const reset = { tag: '!reset', collection: 'seq' as const, resolve: () => [] };

/**
 * A Compose file as Docker reads it: ${NAME:-default} and ${NAME:?message} are replaced from `variables`, the innermost
 * first and whether the outer one needs it or not, as Compose does.
 */
export function readCompose(variables: Record<string, string>, file = 'docker-compose.yml'): Compose {
  const fillOnce = (text: string) =>
    text.replace(/\$\{(\w+):([-?])([^${}]*)\}/g, (_, name: string, operator: string, word: string) => {
      const value = variables[name];
      if (value) return value;
      if (operator === '-') return word;
      throw new Error(`${name}: ${word}`);
    });
  const fill = (text: string): string => {
    const filled = fillOnce(text);
    return filled === text ? text : fill(filled);
  };
  const parsed = parse(read(file), { merge: true, customTags: [reset] });
  return JSON.parse(JSON.stringify(parsed), (_, value) => (typeof value === 'string' ? fill(value) : value));
}

export type Instruction = { name: string; value: string };

/** The instructions of the Dockerfile, continued lines joined. */
export function readDockerfile(): Instruction[] {
  return read('Dockerfile')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', ...rest] = line.split(' ');
      return { name, value: rest.join(' ') };
    });
}

/** What ENV sets in the last stage. */
export function imageEnvironment(): Record<string, string> {
  const instructions = readDockerfile();
  const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
  const pairs = lastStage
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ value }) => value.split(/\s+/))
    .map((pair) => pair.split(/=(.*)/s).slice(0, 2));
  return Object.fromEntries(pairs);
}

/** A file of the repository. */
export function read(path: string): string {
  return readFileSync(resolve(root, path), 'utf8');
}
