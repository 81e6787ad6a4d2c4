import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { type ComposeService, readCompose } from './container-files.ts';

const root = resolve(import.meta.dirname, '../..');

describe('docker-compose.managed-database.yml', () => {
  const managed = readCompose({}, 'docker-compose.managed-database.yml');

  it('starts no PostgreSQL, and lets the migrations begin without one', () => {
    assert.deepEqual(Object.keys(managed.services), ['postgres', 'migrate']);
    assert.deepEqual(managed.services['postgres']?.profiles, ['unused']);
    assert.deepEqual(managed.services['migrate']?.depends_on, {
      postgres: { condition: 'service_healthy', required: false },
    });
  });

  it('takes the address of the database from .env', () => {
    const given = { POSTGRES_PASSWORD: 'unused', AUTH_SECRET: 'y', DATABASE_URL: 'postgres://elsewhere/x' };
    const { environment } = readCompose(given).services['migrate'] as ComposeService;
    assert.equal(environment?.['DATABASE_URL'], 'postgres://elsewhere/x');
  });
});

describe('docker-compose.two-apis.yml', () => {
  const file = 'docker-compose.two-apis.yml';
  const { services, networks, volumes } = readCompose({ SITE: 'api.example.jp' }, file);
  const apis = ['api', 'api-2'];

  it('publishes the proxy alone, which knows both APIs', () => {
    for (const name of apis) assert.deepEqual(services[name]?.ports, [], name);
    const { environment } = services['proxy'] as ComposeService;
    assert.equal(environment?.['UPSTREAMS'], apis.map((name) => `${name}:3000`).join(' '));
  });

  it('passes on from where the pages of operators may be opened', () => {
    const inside = '203.0.113.0/24 198.51.100.7/32';
    const { environment } = readCompose({ SITE: 'api.example.jp', INSIDE: inside }, file).services[
      'proxy'
    ] as ComposeService;
    assert.equal(environment?.['INSIDE'], inside);
    assert.equal(services['proxy']?.environment?.['INSIDE'], '127.0.0.1/32 ::1/128');
  });

  it('has the APIs believe the network of the containers', () => {
    const subnet = networks?.['default']?.ipam.config[0]?.subnet;
    for (const name of apis) assert.equal(services[name]?.environment?.['TRUSTED_PROXIES'], subnet, name);
  });

  it('asks for the name of the site, and mounts a configuration that is there', () => {
    assert.throws(() => readCompose({}, file), /set SITE/);
    for (const volume of services['proxy']?.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) assert(existsSync(resolve(root, source)), source);
      else assert(source in volumes, source);
    }
  });
});
