import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { domains } from '../shared/domains.ts';
import type { Domain } from '../shared/kernel/scope.ts';
import { settingRows } from '../shared/platform/settings/settings.ts';
import { cleanUp, newFolder, run } from './start/service.ts';
import { freePort } from './support/free-port.ts';
import { announcedErrors, blocksIn, runShell } from './support/shell-blocks.ts';

const root = resolve(import.meta.dirname, '..');
const text = (path: string) => readFileSync(resolve(root, path), 'utf8');
const readme = text('README.md');

describe('the tour of the README', () => {
  const folder = newFolder();
  after(() => cleanUp(folder));

  it('works as it is written, for somebody who has just started the service', async () => {
    const port = String(await freePort());
    const service = run('start.ts', { DATA_DIR: folder, PORT: port });
    await service.up();
    const key = /API key +(sk_\w+)/.exec(service.progress())?.[1];
    assert(key, service.progress());
    const script = blocksIn(readme, 'sh').join('\n').replace('localhost:3000', `localhost:${port}`);
    const { output, statuses } = await runShell(script.replace('sk_...', key), {});
    assert.deepEqual(
      statuses.filter((status) => status >= 300),
      announcedErrors(script),
    );
    assert.match(output, /佐藤/);
    assert.match(output, /"stage_slug":"negotiation"/);
    assert.match(output, /idempotency-replayed: true/i);
  });
});

/** A word for each domain, as whoever looks for such a thing would say it. */
const WORDS: Record<Domain, RegExp> = {
  crm: /companies, contacts, deals/,
  mail: /mail contacts.+campaigns/s,
  attendance: /attendance/,
  scheduler: /booking pages/,
  invoicing: /invoices, delivery notes/,
  received: /received invoices/,
  accounting: /double-entry books/,
  cloud: /files and folders/,
  sign: /signed on a page/,
  forms: /forms/,
};

describe('the README', () => {
  it('lists the settings as the schema has them', () => {
    const rows = settingRows.map(
      ({ name, default: preset, description }) =>
        `| \`${name}\` | ${preset ? `\`${preset}\`` : ''} | ${description.replaceAll('|', '\\|')} |`,
    );
    const table = ['| Setting | Default | For |', '| --- | --- | --- |', ...rows].join('\n');
    const [, shown = ''] = /<!-- settings -->\n(.*)<!-- \/settings -->/s.exec(readme) ?? [];
    assert.equal(shown.trim(), table, `The table between <!-- settings --> should be:\n${table}`);
  });

  it('says of each domain what it is for', () => {
    const [, here = ''] = /\n(What is here now:.*?)\n\n/s.exec(readme) ?? [];
    assert.deepEqual(
      domains.map(({ name }) => name).filter((name) => !WORDS[name].test(here)),
      [],
    );
  });

  it('leads to each guide', () => {
    const guides = readdirSync(resolve(root, 'docs/guides'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `](docs/guides/${name})`);
    assert.deepEqual(
      guides.filter((link) => !readme.includes(link)),
      [],
    );
  });

  for (const file of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/operations.md']) {
    it(`and its commands and links lead somewhere: ${file}`, () => {
      const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
      for (const [, name = ''] of text(file).matchAll(/npm run ([a-z:]+)/g)) assert(name in scripts, name);
      for (const [, program = ''] of text(file).matchAll(/\bnode ([\w/-]+\.ts)\b/g))
        assert(existsSync(resolve(root, program)), `${file} runs ${program}`);
      const folder = resolve(root, file, '..');
      for (const [, target = ''] of text(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
        assert(existsSync(resolve(folder, target)), `${file} leads to ${target}`);
      }
    });
  }
});

describe('the guide for contributors', () => {
  it('shows lines that are in the code', () => {
    for (const block of blocksIn(text('CONTRIBUTING.md'), 'diff')) {
      const [, file = ''] = /^\+\+\+ b\/(.+)$/m.exec(block) ?? [];
      const code = new Set(text(file).split('\n'));
      for (const [, line = ''] of block.matchAll(/^\+(?!\+\+)(.+)$/gm)) {
        assert(code.has(line), `${file} has no line "${line}"`);
      }
    }
  });
});
