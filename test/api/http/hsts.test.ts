import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Environment } from '../../../shared/platform/settings/settings.ts';
import { startApp } from '../../support/app.ts';
import { freshDatabase } from '../../support/database.ts';

const database = await freshDatabase();
after(() => database.drop());

describe('Strict-Transport-Security', () => {
  const cases: [string, Environment, string | null][] = [
    [
      'lasts 30 days and spares sister hosts, unless set',
      { BASE_URL: 'https://api.example.jp' },
      'max-age=2592000',
    ],
    [
      'is what HSTS says',
      { BASE_URL: 'https://api.example.jp', HSTS: 'max-age=31536000; includeSubDomains' },
      'max-age=31536000; includeSubDomains',
    ],
    ['is not sent when HSTS is off', { BASE_URL: 'https://api.example.jp', HSTS: 'off' }, null],
    ['is not sent where BASE_URL is plain HTTP', { BASE_URL: 'http://localhost:3000' }, null],
  ];
  for (const [title, environment, value] of cases) {
    it(title, async () => {
      const app = await startApp({ database, environment });
      for (const path of ['/healthz', '/api/v1/nowhere', '/sign-in']) {
        const { headers } = await fetch(app.base_url + path);
        assert.equal(headers.get('strict-transport-security'), value, path);
      }
    });
  }
});
