import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../support/app.ts';
import { formTokenOf, visitor } from '../../../support/forms.ts';
import { linkInMail } from '../../../support/letters.ts';
import { newEmail, newOwner, newPerson, PASSWORD } from '../../../support/people.ts';

const app = await startApp();

async function invited(role = 'manager', email = newEmail()) {
  const owner = await newOwner(app);
  const { body } = await owner.post('/invitations', { email, role });
  return { owner, email, path: `/invite/${await linkInMail(app, 'invitation', body.invitation.id)}` };
}

test('403: takes no form whose token is of another browser, where browsers say nothing about the site', async () => {
  const untold = { Origin: 'null' };
  const { path } = await invited();
  const browser = visitor(app);
  await browser.get(path);
  const other = formTokenOf((await visitor(app).get(path)).html);
  for (const form_token of ['', '1', other]) {
    const fields = { name: '田中 太郎', password: PASSWORD, form_token };
    assert.equal((await browser.send(path, fields, untold)).status, 403, form_token);
  }
});

test('403: takes no form whose token is of another session or of before the sign-in', async () => {
  const untold = { Origin: 'null' };
  const person = await newPerson(app);
  const mine = visitor(app);
  const before = formTokenOf((await mine.get('/sign-in')).html);
  const signIn = { email: person.email, password: PASSWORD };
  assert.equal((await mine.send('/sign-in', signIn)).status, 303);
  const theirs = visitor(app);
  const stranger = await newPerson(app);
  assert.equal((await theirs.send('/sign-in', { ...signIn, email: stranger.email })).status, 303);
  const own = formTokenOf((await mine.get('/account')).html);
  const other = formTokenOf((await theirs.get('/account')).html);
  const make = (form_token: string) =>
    mine.send('/account/organizations', { organization_name: '山田商店', form_token }, untold);
  for (const form_token of ['', before, other]) assert.equal((await make(form_token)).status, 403);
  assert.equal((await make(own)).status, 303);
});
