import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API_SECRETS } from '../../shared/platform/settings/settings.ts';
import { readCompose } from './container-files.ts';

test('docker-compose.yml gives the secrets of the API to the API alone', () => {
  const secrets = { POSTGRES_PASSWORD: 'p'.repeat(32), AUTH_SECRET: 'x'.repeat(64) };
  const given = Object.entries(readCompose(secrets).services).filter(([, { environment }]) =>
    API_SECRETS.some((name) => environment?.[name] !== undefined),
  );
  assert.deepEqual(
    given.map(([name]) => name),
    ['api'],
  );
});
