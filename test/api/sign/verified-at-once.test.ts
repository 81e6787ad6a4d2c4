import assert from 'node:assert/strict';
import { type ClientRequest, request } from 'node:http';
import { test } from 'node:test';
import { arriving, MOST_VERIFIED } from '../../../shared/sign/verifying/places.ts';
import { startApp } from '../../support/app.ts';
import { blankPdf, formOf } from '../../support/signing.ts';

const app = await startApp();

const sent = () => app.anonymous.post('/sign/verify', formOf(blankPdf(), null));

/** A form whose file has begun and does not go on. */
async function begunForm(): Promise<ClientRequest> {
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': '100000' };
  const sending = request(`${app.base_url}/api/v1/sign/verify`, { method: 'POST', headers });
  sending.on('error', () => undefined);
  const part =
    'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf';
  await new Promise<void>((written) => sending.write(`--x\r\n${part}\r\n\r\n%PDF-1.7\n`, () => written()));
  return sending;
}

test('verifying has room for no more bytes than two files may have, and for who comes while others send slowly', async () => {
  const arrivals = [arriving(), arriving()];
  for (const arrival of arrivals) arrival.grow(MOST_VERIFIED);
  const { status, body } = await sent();
  assert.deepEqual([status, body.code], [503, 'unavailable']);
  for (const arrival of arrivals) arrival.leave();
  const slow = await Promise.all(Array.from({ length: 3 }, begunForm));
  assert.equal((await sent()).status, 200);
  for (const sending of slow) sending.destroy();
});
