import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../support/app.ts';
import { cookieOf, newEmail, PASSWORD, withCookie } from '../../support/people.ts';

test("on https its cookie is kept to https and to this host; an earlier release's is not read, and taken back", async () => {
  const secure = await startApp({ environment: { BASE_URL: 'https://bos.example.com' } });
  const body = { name: 'A', email: newEmail(), password: PASSWORD };
  const reply = await secure.anonymous.post('/auth/sign-up/email', body);
  const [cookie] = reply.headers.getSetCookie();
  assert.match(cookie!, /^__Host-service\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  assert.doesNotMatch(cookie!, /domain/i);
  const session = withCookie(secure, cookieOf(reply));
  assert.equal((await session.get('/organizations')).status, 200);
  const plain = withCookie(secure, cookieOf(reply).replace('__Host-', ''));
  assert.equal((await plain.get('/organizations')).body.code, 'missing_credentials');
  const earlier = withCookie(secure, cookieOf(reply).replace('__Host-', '__Secure-'));
  assert.equal((await earlier.get('/organizations')).body.code, 'missing_credentials');
  const signedIn = await earlier.post('/auth/sign-in/email', { email: body.email, password: PASSWORD });
  assert.equal(signedIn.status, 200, signedIn.text);
  const set = signedIn.headers.getSetCookie();
  assert.ok(
    set.some((each) => /^__Secure-service\.session_token=; Max-Age=0; .*Secure/.test(each)),
    set.join(),
  );
  assert.ok(
    set.some((each) => /^__Host-service\.session_token=[^;]/.test(each)),
    set.join(),
  );
  const out = await session.post('/auth/sign-out');
  assert.match(
    out.headers.getSetCookie().join(),
    /__Host-service\.session_token=; Max-Age=0; Path=\/[^,]*Secure/,
  );
});
