import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOrigin } from '../../../shared/kernel/origin.ts';

const ORIGINS = [
  'https://www.example.co.jp',
  'https://x.example:8443',
  'http://localhost',
  'http://127.0.0.1:3000',
  'https://[::1]',
  'https://xn--fsq.example',
];

const OTHERS = [
  'https://a;script-src',
  'https://a,b',
  "https://'self'",
  'https://*',
  'https://*.example.com',
  'https://a.*.example',
  'https://example.com:443',
  'https://example.com/',
  'https://EXAMPLE.com',
  'https://user@example.com',
  'https://exam$ple.com',
  'https://a b',
  'ftp://example.com',
  'null',
  "'self'",
  '*',
  '',
];

test('an origin names one site, and nothing that a policy reads otherwise', () => {
  assert.deepEqual(ORIGINS.filter(isOrigin), ORIGINS);
  assert.deepEqual(OTHERS.filter(isOrigin), []);
});
