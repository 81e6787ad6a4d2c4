import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  corporateCheckDigit,
  isCorporateNumber,
  numberWarnings,
  REGISTRATION_NUMBER,
} from '../../../shared/crm/corporate-number.ts';
import { PaymentTerms } from '../../../shared/crm/payment-terms.ts';

const right = ['7000012050002', '1180301018771', '2120901007402'];

describe('a corporate number', () => {
  for (const number of right) {
    it(`${number} is right, and wrong with any other first digit`, () => {
      const others = [...'0123456789'].filter((digit) => digit !== number[0]);
      assert.equal(isCorporateNumber(number), true);
      for (const digit of others) assert.equal(isCorporateNumber(digit + number.slice(1)), false);
    });
  }

  it('of another form is none', () => {
    for (const text of [
      '',
      '700001205000',
      '70000120500021',
      '7000012050002 ',
      'T7000012050002',
      '７００００１２０５０００２',
    ]) {
      assert.equal(isCorporateNumber(text), false, text);
    }
  });

  it('has a check digit from 1 to 9, which tells one mistyped digit unless 0 and 9 are confused', () => {
    const twelve = fc.stringMatching(/^\d{12}$/);
    fc.assert(
      fc.property(twelve, fc.nat(11), fc.nat(9), (digits, at, typed) => {
        const digit = corporateCheckDigit(digits);
        assert.ok(digit >= 1 && digit <= 9);
        const changed = digits.slice(0, at) + typed + digits.slice(at + 1);
        const isSameDigit = (Number(digits[at]) - typed) % 9 === 0;
        assert.equal(corporateCheckDigit(changed) === digit, isSameDigit);
      }),
    );
  });
});

describe('an invoice registration number', () => {
  it('is T and 13 digits', () => {
    assert.ok(REGISTRATION_NUMBER.test('T7000012050002'));
    for (const text of [
      '7000012050002',
      't7000012050002',
      'T700001205000',
      'T70000120500021',
      'T7000012050002\n',
    ]) {
      assert.equal(REGISTRATION_NUMBER.test(text), false, text);
    }
  });

  it('gets a warning when its digits are no corporate number', () => {
    assert.deepEqual(numberWarnings({ invoice_registration_number: null }), []);
    assert.deepEqual(numberWarnings({ invoice_registration_number: 'T7000012050002' }), []);
    const [warning] = numberWarnings({ invoice_registration_number: 'T1000012050002' });
    assert.deepEqual([warning?.path, warning?.code], ['/invoice_registration_number', 'check_digit']);
  });
});

describe('payment terms', () => {
  it('close and pay on a day from 1 to 28 or at the end, up to six months on', () => {
    const terms = { closing_day: 20, months_later: 1, pay_day: 'end' };
    assert.deepEqual(PaymentTerms.parse(terms), terms);
    const wrong = [
      { closing_day: 0 },
      { closing_day: 29 },
      { pay_day: 'last' },
      { months_later: 7 },
      { months_later: 0.5 },
      { day: 1 },
    ];
    for (const fault of wrong) {
      assert.equal(PaymentTerms.safeParse({ ...terms, ...fault }).success, false, JSON.stringify(fault));
    }
    assert.equal(PaymentTerms.safeParse({ closing_day: 20, months_later: 1 }).success, false);
  });
});
