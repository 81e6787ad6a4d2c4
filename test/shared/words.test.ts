import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { domains, eventDomains, failures, roleGrants, scopes, wordsByOwner } from '../../shared/domains.ts';
import { domainsBelow, floorOf } from '../architecture/floors.ts';

const root = resolve(import.meta.dirname, '../..');

/** The words that more than one owner declares. */
function doubled(wordsOf: (owner: string) => readonly string[]): string[] {
  const all = [...wordsByOwner.keys()].flatMap((owner) => wordsOf(owner));
  return all.filter((word, index) => all.indexOf(word) !== index);
}

describe('a word has one owner', () => {
  test('prefixes of IDs', () => {
    assert.deepEqual(
      doubled((owner) => Object.values(wordsByOwner.get(owner)!.prefixes)),
      [],
    );
    assert.deepEqual(
      doubled((owner) => Object.keys(wordsByOwner.get(owner)!.prefixes)),
      [],
    );
  });

  test('error codes, and the table holds all of them', () => {
    const codesOf = (owner: string) => Object.keys(wordsByOwner.get(owner)!.failures);
    assert.deepEqual(doubled(codesOf), []);
    assert.deepEqual(Object.keys(failures), [...wordsByOwner.keys()].flatMap(codesOf));
  });

  test('types of events, and each is emitted in the folder of its owner', () => {
    assert.deepEqual(
      doubled((owner) => wordsByOwner.get(owner)!.events),
      [],
    );
    for (const [type, owner] of eventDomains) {
      const files = globSync(`shared/${owner}/**/*.ts`, { cwd: root }).filter(
        (file) => !file.endsWith('/words.ts'),
      );
      assert.ok(
        files.some((file) => readFileSync(join(root, file), 'utf8').includes(`'${type}'`)),
        `${type} is not emitted in shared/${owner}/`,
      );
    }
  });

  test('scopes', () => {
    assert.equal(new Set(scopes).size, scopes.length);
  });

  test('is written on the floor of its owner and above alone', () => {
    const owners = new Map<string, string>();
    for (const [owner, { prefixes, failures: codes }] of wordsByOwner) {
      for (const prefix of Object.values(prefixes)) owners.set(`prefix ${prefix}`, owner);
      for (const code of Object.keys(codes)) owners.set(`code ${code}`, owner);
    }
    const isAbove = (owner: string, folder: string) =>
      floorOf(`shared/${owner}`) < floorOf(`shared/${folder}`) ||
      (domainsBelow[owner] ?? []).includes(folder);
    const strange = globSync('shared/*/**/*.ts', { cwd: root }).flatMap((file) => {
      const folder = file.split('/')[1]!;
      const text = readFileSync(join(root, file), 'utf8');
      const written = [
        ...[...text.matchAll(/\b(?:newId|idSeries|firstIdOf|byId|id)\('(\w+)'/g)].map(
          ([, it]) => `prefix ${it}`,
        ),
        ...[...text.matchAll(/\bnew Failure\(\s*'(\w+)'/g)].map(([, it]) => `code ${it}`),
      ];
      return written.filter((word) => isAbove(owners.get(word)!, folder)).map((word) => `${file}: ${word}`);
    });
    assert.deepEqual(strange, []);
  });

  test('the kernel names no domain', () => {
    const names = domains.map(({ name }) => name).join('|');
    const quoted = new RegExp(`['"\`](${names})[.:]`);
    const naming = globSync('shared/kernel/**/*.ts', { cwd: root }).filter((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(\*|\/\*|\/\/)/.test(line))
        .some((line) => quoted.test(line)),
    );
    assert.deepEqual(naming, []);
  });
});

describe('roles', () => {
  test('owners and admins have everything, managers all domains, members what a domain leaves them', () => {
    assert.deepEqual([roleGrants.owner, roleGrants.admin], [['*'], ['*']]);
    const withheld = scopes.filter((scope) => !roleGrants.manager.includes(scope));
    assert.deepEqual(withheld, ['jobs:read', 'settings:write']);
    const ofManagers = roleGrants.manager.filter((scope) => !roleGrants.member.includes(scope));
    assert.deepEqual(ofManagers, ['accounting:write', 'approvals:write', 'events:read', 'audit:read']);
  });
});

/** The words of a domain that does not exist, as its folder would declare them. */
const STAMPS = `
import { words } from '../kernel/vocabulary.ts';
export const stampsWords = words({
  prefixes: { stamp: 'stmp' },
  failures: {
    smudged: {
      status: 409,
      title: { en: 'The stamp is smudged', ja: '印影が不鮮明です' },
      help: { en: 'Make another one.', ja: 'もう一度押してください。' },
    },
  },
  events: ['stamps.stamp.created'],
});
declare module '../kernel/vocabulary.ts' {
  interface Vocabulary { stamps: typeof stampsWords }
}
`;

/** What uses them; lines that must not compile end with "refused". */
const USES = `
import type { EventType } from '../kernel/fact.ts';
import { factsOf } from '../kernel/fact.ts';
import { Failure, invalid, unknownReference } from '../kernel/failure.ts';
import type { FailureCode } from '../kernel/failures.ts';
import { isId, newId } from '../kernel/id.ts';
import type { Queue } from '../kernel/job.ts';
import type { Domain, Scope } from '../kernel/scope.ts';
export const now = new Date(0);
export const own = newId('stmp', now);
export const other = isId(own, 'cont');
export const mistyped = newId('stpm', now); // refused
export const failure = new Failure('smudged');
export const known = new Failure('not_found');
export const unknown = new Failure('smugded'); // refused
export const raises: FailureCode[] = ['smudged', 'default_pipeline'];
export const raised: FailureCode[] = ['smudge']; // refused
export const asked: Scope[] = ['stamps:read', 'crm:write', 'audit:read'];
export const wrong: Scope = 'stamps:raed'; // refused
export const announced: Scope = 'accounting:read'; // refused
export const domain: Domain = 'stamps';
export const owner: Domain = 'platform'; // refused
export const queue: Queue = 'email';
export const line: Queue = 'e-mail'; // refused
export const facts = factsOf({ domain: 'stamps', entity_type: 'stamp', events: { created: 'stamps.stamp.created' } });
export const event: EventType = 'stamps.stamp.craeted'; // refused
export const said = invalid('/ink', 'too_dry', { en: 'The ink is dry', ja: 'インクが乾いています' });
export const half = invalid('/ink', 'too_dry', { en: 'The ink is dry' }); // refused
export const bare = invalid('/ink', 'too_dry', 'The ink is dry'); // refused
export const sent = unknownReference('/stamp_id', own);
export const lost = unknownReference('/stamp_id', 'The stamp'); // refused
`;

describe('the words of a new domain', () => {
  test('are added without a change of the kernel; what is mistyped or said in one language does not compile', () => {
    const fixtures = new Map([
      [join(root, 'shared/stamps/words.ts'), STAMPS],
      [join(root, 'shared/stamps/uses.ts'), USES],
    ]);
    const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, getSourceFile } = host;
    host.fileExists = (name) => fixtures.has(name) || fileExists(name);
    host.readFile = (name) => fixtures.get(name) ?? readFile(name);
    host.getSourceFile = (name, target, ...rest) => {
      const text = fixtures.get(name);
      return text === undefined
        ? getSourceFile(name, target, ...rest)
        : ts.createSourceFile(name, text, target);
    };
    const others = ['crm', 'kernel', 'platform'].map((owner) => join(root, `shared/${owner}/words.ts`));
    const program = ts.createProgram([...fixtures.keys(), ...others], options, host);
    const uses = program.getSourceFile(join(root, 'shared/stamps/uses.ts'))!;
    const refused = program
      .getSemanticDiagnostics(uses)
      .map(({ start = 0 }) => uses.text.slice(start).split('\n')[0])
      .map((rest) => USES.split('\n').findIndex((line) => line.endsWith(rest!)));
    const expected = USES.split('\n').flatMap((line, index) => (line.endsWith('// refused') ? [index] : []));
    assert.deepEqual(refused, expected);
    const words = program.getSourceFile(join(root, 'shared/stamps/words.ts'))!;
    assert.deepEqual(program.getSemanticDiagnostics(words), []);
  });
});
