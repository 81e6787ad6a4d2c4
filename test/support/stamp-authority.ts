import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type TestAuthority = {
  url: string;
  /** The certificate of the authority's issuer, as PEM. */
  ca: string;
  /** How many stamps it gave. */
  given: number;
  /** While it is set, it answers with this status and gives nothing. */
  refuses: number | null;
};

const CONFIG = `
[tsa]
default_tsa = own
[own]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
certs = ca.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
[stamps]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
`;

/** A time-stamping authority on a port of its own: `openssl ts` answers. Its certificate is valid for `days`. */
export async function startStampAuthority({ days = 365 } = {}): Promise<TestAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'stamps-'));
  const openssl = (...words: string[]) => run('openssl', words, { cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout'];
  writeFileSync(join(folder, 'tsa.cnf'), CONFIG);
  writeFileSync(join(folder, 'serial'), '01\n');
  await openssl(
    'req',
    '-x509',
    ...key,
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '3650',
    '-subj',
    '/CN=Stamps CA',
  );
  await openssl('req', ...key, 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Stamps');
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-extfile', 'tsa.cnf', '-extensions', 'stamps'];
  await openssl('x509', '-req', '-in', 'tsa.csr', ...signing, '-days', String(days), '-out', 'tsa.pem');
  const { stdout: ca } = await openssl('x509', '-in', 'ca.pem');
  const authority: TestAuthority = { url: '', ca, given: 0, refuses: null };
  let turn: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const query = await buffer(request);
    if (authority.refuses !== null) {
      response.writeHead(authority.refuses).end();
      return;
    }
    const number = ++authority.given;
    writeFileSync(join(folder, `${number}.tsq`), query);
    const reply = ['-reply', '-queryfile', `${number}.tsq`, '-config', 'tsa.cnf', '-out', `${number}.tsr`];
    // One after the other: they count in one file.
    turn = turn.then(() => openssl('ts', ...reply));
    await turn;
    const { readFile } = await import('node:fs/promises');
    response.setHeader('Content-Type', 'application/timestamp-reply');
    response.end(await readFile(join(folder, `${number}.tsr`)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  authority.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  return authority;
}
