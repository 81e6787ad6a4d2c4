import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** What other people's programs say of the signatures of a PDF. */
export function signatureJudges() {
  const folder = mkdtempSync(join(tmpdir(), 'signatures-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  const kept = (content: Uint8Array, ending: string) => {
    const path = join(folder, `${++count}.${ending}`);
    writeFileSync(path, content);
    return path;
  };
  // Their texts count: pdfsig ends with 0 for a signature that does not hold.
  const text = (program: string, ...words: string[]) => {
    const { stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
    return stdout + stderr;
  };
  return {
    folder,
    /** The text of pdfsig, with the authorities that `trusting` made. */
    pdfsig: (pdf: Uint8Array, authorities?: string) =>
      text('pdfsig', ...(authorities ? ['-nssdir', authorities] : []), kept(pdf, 'pdf')),
    /** A folder of NSS that trusts an authority, for pdfsig. */
    trusting(pem: string) {
      const authorities = mkdtempSync(join(folder, 'nss-'));
      const run = (...words: string[]) => execFileSync('certutil', ['-d', `sql:${authorities}`, ...words]);
      run('-N', '--empty-password');
      run('-A', '-n', 'authority', '-t', 'CT,CT,CT', '-i', kept(Buffer.from(pem), 'pem'));
      return authorities;
    },
    /** The text of qpdf --check. */
    qpdf: (pdf: Uint8Array) => text('qpdf', '--check', kept(pdf, 'pdf')),
    /** The exit status of openssl cms -verify over what the signature covers. */
    cmsVerify(cms: Uint8Array, covered: Uint8Array, ca: string): number | null {
      const words = [
        'cms',
        '-verify',
        '-inform',
        'DER',
        '-in',
        kept(cms, 'der'),
        '-binary',
        '-purpose',
        'any',
      ];
      const files = ['-content', kept(covered, 'bin'), '-CAfile', kept(Buffer.from(ca), 'pem')];
      return spawnSync('openssl', [...words, ...files, '-out', '/dev/null']).status;
    },
    /** The first attached file, by pdfdetach. */
    attached(pdf: Uint8Array): string {
      const out = join(folder, `${++count}.json`);
      execFileSync('pdfdetach', ['-save', '1', '-o', out, kept(pdf, 'pdf')]);
      return readFileSync(out, 'utf8');
    },
  };
}
