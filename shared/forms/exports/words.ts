/** The parts of a name, in the order of their columns; the last two where a version asks for them. */
export const NAME_PARTS = {
  last_name: { en: 'Last name', ja: '姓' },
  first_name: { en: 'First name', ja: '名' },
  last_name_kana: { en: 'Last name (kana)', ja: '姓（カナ）' },
  first_name_kana: { en: 'First name (kana)', ja: '名（カナ）' },
} as const;

/** The parts of an address, in the order of their columns. */
export const ADDRESS_PARTS = {
  postal_code: { en: 'Postal code', ja: '郵便番号' },
  prefecture: { en: 'Prefecture', ja: '都道府県' },
  city: { en: 'City', ja: '市区町村' },
  address_line: { en: 'Address', ja: '番地' },
  building: { en: 'Building', ja: '建物名' },
} as const;

export const YES_NO = { yes: { en: 'Yes', ja: 'はい' }, no: { en: 'No', ja: 'いいえ' } } as const;
