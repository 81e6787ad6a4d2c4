import { type FieldRows, optionsOf, same } from './case.ts';

const options = { options: optionsOf('a', 'b', 'c') };
const matrix = { type: 'matrix', rows: optionsOf('r', 's'), columns: optionsOf('x', 'y') };
const whole = { last_name: '山田', first_name: '花子' };
const kana = { ...whole, last_name_kana: 'ヤマダ', first_name_kana: 'ハナコ' };
const home = { postal_code: '100-0001', prefecture: '東京都', city: '千代田区', address_line: '千代田1-1' };

/** Values that consist of parts: by rows, in an order, of a name or an address, files. */
export const partRows: FieldRows[] = [
  [
    matrix,
    [
      same({ r: 'x', s: 'y' }),
      same({ r: 'x' }),
      [{ s: 'y', r: null }, { stored: { s: 'y' } }],
      [{ r: '', s: [] }, 'unanswered'],
      [{ t: 'x' }, '/t unknown_option'],
      [{ r: 'z' }, '/r unknown_option'],
      [{ r: ['x'] }, '/r wrong_type'],
      ['x', 'wrong_type'],
    ],
  ],
  [
    { ...matrix, multiple: true },
    [
      [{ r: ['y', 'x'] }, { stored: { r: ['x', 'y'] } }],
      [{ r: 'x' }, '/r wrong_type'],
      [{ r: ['x', 'x'] }, '/r invalid_format'],
      [{ r: ['x', 'z'] }, '/r/1 unknown_option'],
    ],
  ],
  [
    { type: 'ranking', ...options },
    [
      same(['c', 'a', 'b']),
      [['a', 'b'], 'too_few'],
      [['a', 'a', 'b'], 'invalid_format'],
      [['a', 'b', 'z'], '/2 unknown_option'],
      ['a', 'wrong_type'],
    ],
  ],
  [
    { type: 'name' },
    [
      same(whole),
      same(kana),
      [{ last_name: ' 山田\n', first_name: '花子', last_name_kana: '' }, { stored: whole }],
      [{ last_name: '山田' }, '/first_name required'],
      [{ last_name: '', first_name: ' ' }, 'unanswered'],
      [{ ...whole, nickname: 'x' }, '/nickname unknown_field'],
      [{ ...whole, last_name: 5 }, '/last_name wrong_type'],
      [{ ...whole, last_name: 'x'.repeat(101) }, '/last_name too_long'],
      ['山田花子', 'wrong_type'],
    ],
  ],
  [
    { type: 'name', kana: true },
    [same(kana), [{ ...kana, first_name_kana: null }, '/first_name_kana required']],
  ],
  [
    { type: 'address' },
    [
      same(home),
      same({ ...home, building: 'ビル1F' }),
      [{ ...home, postal_code: '1000001' }, { stored: home }],
      [{ ...home, postal_code: ' １００−０００１ ' }, { stored: home }],
      [{ ...home, postal_code: '100ー0001' }, { stored: home }],
      [{ ...home, postal_code: '100--0001' }, '/postal_code invalid_format'],
      [{ ...home, postal_code: '10-00001' }, '/postal_code invalid_format'],
      [{ ...home, postal_code: '100000' }, '/postal_code invalid_format'],
      [{ ...home, postal_code: '1'.repeat(201) }, '/postal_code invalid_format'],
      [{ ...home, city: '' }, '/city required'],
      [{ ...home, building: 'x'.repeat(201) }, '/building too_long'],
    ],
  ],
  [
    { type: 'file' },
    [
      same(['ffile_1']),
      [['ffile_2'], '/0 unknown_file'],
      [['ffile_1', 'ffile_1'], 'invalid_format'],
      ['ffile_1', 'wrong_type'],
      [[1], '/0 wrong_type'],
    ],
  ],
];
