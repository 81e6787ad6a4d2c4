import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fullName } from '../../../shared/kernel/full-name.ts';
import { inStoredOrder } from '../../../shared/kernel/stored-order.ts';
import { mailSearchText } from '../../../shared/mail/contacts/search-text.ts';
import { emailKey, suppressionHash } from '../../../shared/mail/email-key.ts';

describe('the key of an e-mail', () => {
  for (const email of ['Taro@Example.com', 'ＴＡＲＯ＠example.com', 'taro@example.com']) {
    test(`of ${email} is taro@example.com`, () => assert.equal(emailKey(email), 'taro@example.com'));
  }

  test('has another hash in each organization', () => {
    const [ours, theirs] = [suppressionHash('org_a', 'a@b.c'), suppressionHash('org_b', 'a@b.c')];
    assert.equal(ours.length, 32);
    assert.notDeepEqual(ours, theirs);
    assert.deepEqual(ours, suppressionHash('org_a', 'a@b.c'));
  });
});

describe('a mail contact', () => {
  test('is searched by its names in both orders and in one word, and by its e-mail', () => {
    const person = { email: 'H@Example.com', first_name: 'ハナコ', last_name: '山田' };
    assert.equal(mailSearchText(person), '山田 はなこ\nはなこ 山田\n山田はなこ\nh@example.com');
    assert.equal(mailSearchText({ email: 'a@b.c', first_name: null, last_name: '林' }), '林\na@b.c');
    assert.equal(mailSearchText({ email: 'a@b.c', first_name: null, last_name: null }), 'a@b.c');
  });

  test('with one name is called by it, without one by none', () => {
    assert.equal(fullName({ first_name: null, last_name: '山田' }), '山田');
    assert.equal(fullName({ first_name: 'Ann', last_name: null }), 'Ann');
    assert.equal(fullName({ first_name: null, last_name: null }), '');
  });

  test('has its attributes in the order in which the database keeps them', () => {
    const attributes = { 会社: '1', abcd: '2', b: '3', a: '4', '😀': '5', é: '6' };
    assert.deepEqual(Object.keys(inStoredOrder(attributes)), ['a', 'b', 'é', 'abcd', '😀', '会社']);
  });
});
