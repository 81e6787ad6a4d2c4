/** The words of schemas. */

export const fieldTypes = [
  'short_text',
  'long_text',
  'email',
  'phone',
  'url',
  'number',
  'date',
  'time',
  'datetime',
  'choice',
  'dropdown',
  'multi_choice',
  'yes_no',
  'consent',
  'rating',
  'nps',
  'scale',
  'matrix',
  'ranking',
  'name',
  'address',
  'file',
  'statement',
] as const;

export type FieldType = (typeof fieldTypes)[number];

export const operators = [
  'answered',
  'not_answered',
  'equals',
  'not_equals',
  'contains',
  'any_of',
  'none_of',
  'gt',
  'gte',
  'lt',
  'lte',
] as const;

export type Operator = (typeof operators)[number];

/** Kinds of files that a field may take. */
export const fileKinds = [
  'pdf',
  'png',
  'jpeg',
  'gif',
  'webp',
  'heic',
  'docx',
  'xlsx',
  'pptx',
  'csv',
  'txt',
  'zip',
] as const;

export type FileKind = (typeof fileKinds)[number];

/** The parts of a name in their order; the first two are needed. */
export const nameParts = ['last_name', 'first_name', 'last_name_kana', 'first_name_kana'] as const;

/** The parts of an address in their order; all but the last are needed. */
export const addressParts = ['postal_code', 'prefecture', 'city', 'address_line', 'building'] as const;

/** Characters (code points) of the longest text of each type of text. */
export const LONGEST_TEXT = { short_text: 1_000, long_text: 10_000 } as const;
