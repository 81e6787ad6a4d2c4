import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openApiFile } from '../../../api/openapi.ts';
import { startApp } from '../../support/app.ts';
import { freePort } from '../../support/free-port.ts';
import { newOwner } from '../../support/people.ts';
import { until } from '../../support/until.ts';

const root = resolve(import.meta.dirname, '../../..');
const bin = (name: string) => resolve(root, 'node_modules/.bin', name);
const run = promisify(execFile);

const app = await startApp();

describe('the client that is made from the OpenAPI text', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  let prism: ChildProcess;
  let said = '';

  before(() => {
    symlinkSync(resolve(root, 'node_modules'), join(folder, 'node_modules'));
    copyFileSync(resolve(import.meta.dirname, 'tour/tour.ts'), join(folder, 'tour.ts'));
    writeFileSync(join(folder, 'openapi.json'), openApiFile());
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const options = { extends: resolve(root, 'tsconfig.json'), include: ['*.ts'], exclude: [] };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ ...options, compilerOptions: { lib: ['esnext', 'dom'], types: ['node'] } }),
    );
  });
  after(() => {
    prism?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('compiles with a tour of the CRM', async () => {
    await run(bin('openapi-typescript'), ['openapi.json', '-o', 'api.d.ts'], { cwd: folder });
    // Of two compilers here, the one whose library openapi-typescript needs, as who follows the guide has it.
    const compiler = resolve(root, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '-p', folder]).catch(({ stdout }) => assert.fail(stdout));
  });

  it('goes on that tour through Prism, which finds nothing that breaks the text', async () => {
    const port = await freePort();
    prism = spawn(
      process.execPath,
      [bin('prism'), 'proxy', '--errors', '-p', String(port), 'openapi.json', app.base_url],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [prism.stdout, prism.stderr]) {
      stream?.on('data', (chunk) => {
        said += chunk;
      });
    }
    // It reads the whole text before it listens: seconds of work, which a busy machine makes many of.
    await until(`Prism listens: ${said}`, () => said.includes('is listening'), 120_000);
    const owner = await newOwner(app);
    const { body } = await owner.post('/api-keys', { name: 'tour' });
    const { stdout } = await run(process.execPath, ['tour.ts'], {
      cwd: folder,
      env: { ...process.env, BASE_URL: `http://127.0.0.1:${port}`, API_KEY: body.secret },
    }).catch(({ stderr }) => assert.fail(`${stderr}${said.slice(-3000)}`));
    assert.equal(stdout, 'The tour is over\n');
    assert.doesNotMatch(said, /violation/i);
  });
});
