import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import {
  readSettings,
  readStartSettings,
  SettingsError,
  settingRows,
} from '../../../../shared/platform/settings/settings.ts';

const least = { DATABASE_URL: 'postgres://u:p@db/x', AUTH_SECRET: 'x'.repeat(32) };

describe('settings that are right', () => {
  it('have their defaults', () => {
    const settings = readSettings(least);
    assert.equal(settings.port, 3000);
    assert.equal(settings.poolSize, 10);
    assert.equal(settings.dataDir, resolve('data'));
    assert.equal(settings.baseUrl, 'http://localhost:3000');
    assert.equal(settings.databaseDirectUrl, least.DATABASE_URL);
    assert.equal(settings.requireEmailVerification, false);
    assert.equal(settings.embeddedDatabase, false);
    assert.deepEqual(settings.trustedProxies, []);
  });

  it('ask for verified addresses as soon as mails can be sent, unless told otherwise', () => {
    const mail = { ...least, SMTP_URL: 'smtp://mail:25', MAIL_FROM: 'Billing <billing@example.com>' };
    assert.equal(readSettings(mail).requireEmailVerification, true);
    assert.equal(
      readSettings({ ...mail, REQUIRE_EMAIL_VERIFICATION: 'false' }).requireEmailVerification,
      false,
    );
  });

  it('take an empty variable for an absent one', () => {
    assert.equal(readSettings({ ...least, REDIS_URL: '', PORT: '' }).redisUrl, undefined);
  });

  it('drop the slash at the end of BASE_URL', () => {
    assert.equal(readSettings({ ...least, BASE_URL: 'https://example.com/' }).baseUrl, 'https://example.com');
  });

  it('take a list of proxies', () => {
    assert.deepEqual(readSettings({ ...least, TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies, [
      '10.0.0.0/8',
      '::1',
    ]);
  });

  it('need no database for npm start', () => {
    assert.equal(readStartSettings({}).databaseUrl, undefined);
  });
});

describe('a wrong setting', () => {
  const wrong: [Record<string, string>, string][] = [
    [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535.'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535.'],
    [
      { DATABASE_URL: 'mysql://x' },
      'DATABASE_URL must be a URL that begins with postgres:// or postgresql://.',
    ],
    [{ AUTH_SECRET: 'short' }, 'AUTH_SECRET must have at least 32 characters.'],
    [{ SIGN_UP: 'closed' }, 'SIGN_UP must be one of open, invited.'],
    [{ REQUIRE_EMAIL_VERIFICATION: 'yes' }, 'REQUIRE_EMAIL_VERIFICATION must be one of true, false.'],
    [{ SMTP_URL: 'smtp://mail' }, 'MAIL_FROM is required with SMTP_URL.'],
    [{ MAIL_FROM: 'nobody' }, 'MAIL_FROM must be an e-mail address, alone or as Name <address>.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent.'],
    [
      { HSTS: 'on' },
      'HSTS must be off or the value of the header, such as max-age=31536000; includeSubDomains.',
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.0/99' },
      'TRUSTED_PROXIES must be addresses or networks with commas between them, such as 10.0.0.0/8,::1.',
    ],
  ];
  for (const [variables, sentence] of wrong) {
    it(`is one sentence: ${sentence}`, () => {
      assert.throws(() => readSettings({ ...least, ...variables }), new SettingsError(sentence));
    });
  }

  it('names the two that the API cannot do without', () => {
    assert.throws(
      () => readSettings({ AUTH_SECRET: least.AUTH_SECRET }),
      /^SettingsError: DATABASE_URL is required/,
    );
    assert.throws(
      () => readSettings({ DATABASE_URL: least.DATABASE_URL }),
      /^SettingsError: AUTH_SECRET is required/,
    );
  });
});

describe('the table of settings', () => {
  it('says of each what it is for', () => {
    for (const row of settingRows) assert.match(row.description, /\.$/, row.name);
    assert.deepEqual(
      settingRows.filter((row) => row.name === 'RATE_LIMIT_PER_MINUTE').map((row) => row.default),
      ['1200'],
    );
  });
});
