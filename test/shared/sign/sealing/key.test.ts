import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pino from 'pino';
import { Failure } from '../../../../shared/kernel/failure.ts';
import type { SealSettings } from '../../../../shared/platform/settings/settings.ts';
import { newSealKey } from '../../../../shared/sign/pki/authority.ts';
import { pemBlocks, sha256Of, subjectOf, validityOf } from '../../../../shared/sign/pki/certificates.ts';
import { keptKeyPath, keptSealKey } from '../../../../shared/sign/sealing/kept-key.ts';
import { openSealKey, requireSealKey } from '../../../../shared/sign/sealing/key.ts';
import { tellOfSealKey } from '../../../../shared/sign/sealing/key-at-start.ts';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const settings = (changes: Partial<SealSettings>): SealSettings => ({
  signP12: undefined,
  signP12Password: '',
  signTsaUrl: undefined,
  signTsaRequired: true,
  dataDir: folder,
  embeddedDatabase: false,
  ...changes,
});

const codeIs = (code: string) => (error: unknown) => error instanceof Failure && error.code === code;
const now = new Date('2026-12-01T00:00:00Z');
const later = (years: number) => new Date(`${2026 + years}-12-02T00:00:00Z`);

describe('the key of seals', () => {
  it('is made once by an embedded installation, whoever asks at once, for its owner alone', async () => {
    const embedded = settings({ embeddedDatabase: true });
    const made = await Promise.all(
      Array.from({ length: 8 }, () => keptSealKey(folder, () => newSealKey(now))),
    );
    assert.equal(new Set(made).size, 1);
    assert.equal(statSync(keptKeyPath(folder)).mode & 0o777, 0o600);
    const key = await openSealKey(embedded, now);
    assert.equal(subjectOf(key.certificate), 'Business Operations Service seal');
    assert.equal(validityOf(key.certificate).to.toISOString(), '2041-12-01T00:00:00.000Z');
    assert.equal(validityOf(key.chain[0]!).to.toISOString(), '2051-12-01T00:00:00.000Z');
    await requireSealKey(embedded, now);
    await assert.rejects(requireSealKey(embedded, later(15)), codeIs('seal_key_expired'));
  });

  it('is trusted by openssl for mails, by its authority', async () => {
    const [, leaf, authority] = pemBlocks(await newSealKey(new Date()));
    const paths = [leaf, authority].map((block, index) => {
      const path = join(folder, `${index}.pem`);
      writeFileSync(path, block!.text);
      return path;
    });
    const said = execFileSync('openssl', [
      'verify',
      '-purpose',
      'smimesign',
      '-CAfile',
      paths[1]!,
      paths[0]!,
    ]);
    assert.match(said.toString(), /: OK/);
  });

  it('comes from a PKCS #12 file, with its chain in order; a wrong password or no file is no key', async () => {
    const [key, leaf, authority] = pemBlocks(await newSealKey(now));
    const path = (name: string) => join(folder, name);
    for (const [name, block] of [
      ['key', key],
      ['leaf', leaf],
      ['authority', authority],
    ] as const) {
      writeFileSync(path(name), block!.text);
    }
    const files = ['-inkey', path('key'), '-in', path('leaf'), '-certfile', path('authority')];
    execFileSync('openssl', [
      'pkcs12',
      '-export',
      ...files,
      '-out',
      path('own.p12'),
      '-passout',
      'pass:geheim',
    ]);
    const own = settings({ signP12: path('own.p12'), signP12Password: 'geheim' });
    const opened = await openSealKey(own, now);
    assert.equal(opened.key_type, 'EC');
    assert.equal(opened.chain.length, 1);
    assert.notEqual(sha256Of(opened.chain[0]!), sha256Of(opened.certificate));
    await assert.rejects(requireSealKey({ ...own, signP12Password: 'x' }, now), codeIs('seal_key_missing'));
    const unopened = {
      name: 'StartupError',
      message: /^SIGN_P12 cannot be opened: SIGN_P12_PASSWORD is wrong/,
    };
    await assert.rejects(openSealKey({ ...own, signP12Password: 'x' }, now), unopened);
    await assert.rejects(openSealKey({ ...own, signP12: path('leaf') }, now), unopened);
    const unread = { name: 'StartupError', message: /^SIGN_P12 cannot be read: no such file/ };
    await assert.rejects(openSealKey({ ...own, signP12: path('none') }, now), unread);
    await assert.rejects(
      requireSealKey(settings({ signP12: path('none') }), now),
      codeIs('seal_key_missing'),
    );
    await assert.rejects(requireSealKey(settings({}), now), codeIs('seal_key_missing'));

    // The API says so in its log when it starts.
    const told: string[] = [];
    const log = pino({}, { write: (line: string) => told.push(JSON.parse(line).reason) });
    const late = new Date('2999-01-01T00:00:00Z');
    for (const [asked, at] of [
      [own, now],
      [settings({}), now],
      [own, late],
      [{ ...own, signP12Password: 'x' }, now],
      [{ ...own, signP12: path('none') }, now],
    ] as const) {
      await tellOfSealKey(asked, at, log);
    }
    assert.equal(told.length, 3);
    assert.match(told[0]!, /^seal_key_expired/);
    assert.match(told[1]!, unopened.message);
    assert.match(told[2]!, unread.message);
  });
});
