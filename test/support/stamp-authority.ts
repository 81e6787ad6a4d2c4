import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** How often the list was read. */
  lists: number;
  /** The list of what its issuer revoked, as DER, which its certificates name; another text is answered instead. */
  list: Buffer;
  /** Stamps from now on with a new certificate, valid for so many days: negative, of one that has ended. */
  renew(days: number): Promise<void>;
};

const config = (url: string) => `
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
[issuer]
database = index
crlnumber = number
default_md = sha256
default_crl_days = 30
[stamps]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
crlDistributionPoints = URI:${url}list
`;

/** A time-stamping authority on a port of its own: `openssl ts` answers. Its certificate is valid for `days`. */
export async function startStampAuthority({ days = 365 } = {}): Promise<TestAuthority> {
  const folder = mkdtempSync(join(tmpdir(), 'stamps-'));
  const openssl = (...words: string[]) => run('openssl', words, { cwd: folder });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout'];
  let turn: Promise<unknown> = Promise.resolve();
  const server = createServer(async (request, response) => {
    if (request.url === '/list') {
      authority.lists += 1;
      response.end(authority.list);
      return;
    }
    const query = await buffer(request);
    if (authority.refuses !== null) {
      response.writeHead(authority.refuses).end();
      return;
    }
    const number = ++authority.given;
    writeFileSync(join(folder, `${number}.tsq`), query);
    const reply = ['-reply', '-queryfile', `${number}.tsq`, '-config', 'config', '-out', `${number}.tsr`];
    // One after the other: they count in one file.
    turn = turn.then(() => openssl('ts', ...reply));
    await turn;
    response.setHeader('Content-Type', 'application/timestamp-reply');
    response.end(readFileSync(join(folder, `${number}.tsr`)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const files = { config: config(url), serial: '01\n', number: '01\n', index: '' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const issuer = ['-out', 'ca.pem', '-days', '3650', '-subj', `/CN=Stamps CA ${port}`];
  await openssl('req', '-x509', ...key, 'ca.key', ...issuer);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-extfile', 'config', '-extensions', 'stamps'];
  const renew = async (valid: number) => {
    await openssl('req', ...key, 'tsa.key', '-out', 'tsa.csr', '-subj', '/CN=Stamps');
    await openssl('x509', '-req', '-in', 'tsa.csr', ...signing, '-days', String(valid), '-out', 'tsa.pem');
  };
  await renew(days);
  const listing = ['-config', 'config', '-name', 'issuer', '-keyfile', 'ca.key', '-cert', 'ca.pem'];
  await openssl('ca', '-gencrl', ...listing, '-out', 'list.pem');
  await openssl('crl', '-in', 'list.pem', '-outform', 'DER', '-out', 'list.der');
  const list = readFileSync(join(folder, 'list.der'));
  const { stdout: ca } = await openssl('x509', '-in', 'ca.pem');
  const authority: TestAuthority = { url, ca, given: 0, refuses: null, lists: 0, list, renew };
  return authority;
}
