import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, test } from 'node:test';
import { workerGroups } from '../../start/groups.ts';
import { nodeFlags } from '../../start/launch.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = resolve(root, 'deploy/systemd');
const units = readdirSync(folder).sort();

/** Debian's package `systemd` has it; where it is not, its tests are skipped and say so. */
const skip =
  spawnSync('systemd-analyze', ['--version']).status === 0 ? false : 'systemd-analyze is not on the PATH';

/** The units as they stand for an installation in this folder: systemd looks whether the program is there. */
const installed = mkdtempSync(join(tmpdir(), 'units-'));
after(() => rmSync(installed, { recursive: true, force: true }));
const paths = units.map((unit) => join(installed, unit));
for (const unit of units) {
  writeFileSync(join(installed, unit), textOf(unit).replaceAll('/opt/business-operations', root));
}

function textOf(unit: string): string {
  return readFileSync(join(folder, unit), 'utf8');
}

/** The values of a directive, in their order. */
function valuesOf(unit: string, name: string): string[] {
  return [...textOf(unit).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
}

describe('the units of systemd', () => {
  test('are the migrations, the API and the processes of workers that npm start runs', () => {
    const workers = workerGroups.map(({ name }) => `business-operations-${name}.service`);
    assert.deepEqual(
      units,
      ['business-operations-api@.service', 'business-operations-migrate.service', ...workers].sort(),
    );
  });

  test('are read by systemd without a word', { skip }, () => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', ...paths], {
      encoding: 'utf8',
    });
    assert.equal(`${stdout}${stderr}`, '');
    assert.equal(status, 0);
  });

  test('leave the service little that it could do to the machine', { skip }, () => {
    for (const path of paths) {
      const words = ['security', '--offline=yes', '--threshold=45', path];
      const { status, stdout } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
      assert.equal(status, 0, stdout);
    }
  });

  for (const unit of units) {
    test(`${unit} runs a program that is there, as an account of its own`, () => {
      const [command = ''] = valuesOf(unit, 'ExecStart');
      const [program = '', ...words] = command.split(' ');
      assert.equal(program, '/opt/business-operations/node_modules/.bin/node');
      const file = words.find((word) => word.endsWith('.ts')) ?? '';
      assert(existsSync(resolve(root, file)), file);
      assert.deepEqual(valuesOf(unit, 'User'), ['business-operations']);
      assert.deepEqual(valuesOf(unit, 'EnvironmentFile'), ['/etc/business-operations.env']);
    });
  }

  for (const [index, group] of workerGroups.entries()) {
    test(`${group.name} have the queues, the memory, the port and the priority that npm start gives them`, () => {
      const unit = `business-operations-${group.name}.service`;
      const words = ['workers/main.ts', '--name', group.name, '--queues', group.queues.join(',')];
      const [command = ''] = valuesOf(unit, 'ExecStart');
      assert.deepEqual(command.split(' ').slice(1), [...nodeFlags(group), ...words]);
      assert(valuesOf(unit, 'Environment').includes(`WORKERS_METRICS_PORT=${9464 + index}`));
      assert.deepEqual(valuesOf(unit, 'Nice'), group.nice === undefined ? [] : [String(group.nice)]);
    });
  }

  test('start again whatever ends, without giving up, and wait for what is under way', () => {
    for (const unit of units.filter((each) => !each.includes('migrate'))) {
      assert.deepEqual(valuesOf(unit, 'Restart'), ['always'], unit);
      assert.deepEqual(valuesOf(unit, 'StartLimitIntervalSec'), ['0'], unit);
      assert.deepEqual(valuesOf(unit, 'TimeoutStopSec'), ['30'], unit);
    }
  });
});
