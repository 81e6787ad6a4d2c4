import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { metadataPairs, uploadMetadata } from '../../../shared/cloud/uploads/metadata.ts';
import { Failure } from '../../../shared/kernel/failure.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const header = (pairs: Record<string, string>) =>
  Object.entries(pairs)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',');

const FOLDER = 'fold_01kaj2n5w5fq8b4m0g3v7x9rtc';
const FILE = 'file_01kaj2n5w5fq8b4m0g3v7x9rtc';

/** The code and the key of the first fault. */
function faultOf(text: string): [code: string, sentence: string] {
  try {
    uploadMetadata(text);
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'validation_failed', String(error));
    const [fault] = error.details.errors!;
    assert.deepEqual([fault!.in, fault!.path], ['header', 'Upload-Metadata']);
    return [fault!.code, fault!.message.en];
  }
  throw new Error('It is taken');
}

describe('the metadata of an upload', () => {
  test('says what comes and where it goes', () => {
    const sha256 = 'AB'.repeat(32);
    const asked = { filename: ' か\u3099.pdf ', folder_id: FOLDER, on_conflict: 'version', sha256 };
    assert.deepEqual(uploadMetadata(header({ ...asked, filetype: 'application/pdf' })), {
      file_name: 'が.pdf',
      folder_id: FOLDER,
      file_id: null,
      on_conflict: 'version',
      sha256: sha256.toLowerCase(),
      declared_type: 'application/pdf',
    });
  });

  test('has defaults, and keys for the client alone', () => {
    const bare = {
      file_name: 'a',
      folder_id: null,
      file_id: null,
      on_conflict: 'fail',
      sha256: null,
      declared_type: null,
    };
    assert.deepEqual(uploadMetadata(header({ filename: 'a' })), bare);
    assert.deepEqual(
      uploadMetadata(`is_private, ${header({ filename: 'a', folder_id: 'root' })},x YQ==`),
      bare,
    );
    assert.deepEqual(uploadMetadata(`${header({ filename: 'a' })},folder_id ,sha256`), bare);
    assert.deepEqual(uploadMetadata(header({ file_id: FILE })), { ...bare, file_name: null, file_id: FILE });
  });

  const bad: [name: string, text: string, code: string, about: RegExp][] = [
    ['nothing', '', 'required', /filename/],
    ['a blank name', header({ filename: '  ' }), 'required', /filename/],
    ['a path', header({ filename: 'a/b' }), 'invalid_characters', /filename/],
    ['a parent', header({ filename: '..' }), 'invalid_value', /filename/],
    ['a name with NUL', header({ filename: 'a\0' }), 'invalid_characters', /filename/],
    ['a name that turns around', header({ filename: 'a\u202efdp.exe' }), 'invalid_characters', /filename/],
    ['a name of 256 bytes', header({ filename: 'a'.repeat(256) }), 'too_long', /filename/],
    ['another folder ID', header({ filename: 'a', folder_id: FILE }), 'invalid_value', /folder_id/],
    ['another file ID', header({ file_id: FOLDER }), 'invalid_value', /file_id/],
    ['both', header({ file_id: FILE, folder_id: FOLDER }), 'invalid_value', /exclude/],
    ['another rule', header({ filename: 'a', on_conflict: 'existing' }), 'invalid_value', /on_conflict/],
    ['half a hash', header({ filename: 'a', sha256: 'ab' }), 'invalid_value', /sha256/],
    ['a type with a line', header({ filename: 'a', filetype: 'a\nb' }), 'invalid_value', /filetype/],
    ['a value that is no Base64', 'filename a.txt', 'invalid_format', /pairs/],
    ['a value that lacks letters', 'filename YQ=', 'invalid_format', /pairs/],
    ['a pair without a key', 'filename YQ==,,', 'invalid_format', /pairs/],
    ['a key twice', 'filename YQ==,filename YQ==', 'repeated_parameter', /filename/],
    [
      'bytes that are no UTF-8',
      `filename ${Buffer.from([0xff]).toString('base64')}`,
      'invalid_characters',
      /UTF-8/,
    ],
  ];
  for (const [name, text, code, about] of bad) {
    test(`is refused: ${name}`, () => {
      const [found, sentence] = faultOf(text);
      assert.equal(found, code);
      assert.match(sentence, about);
    });
  }

  test('is read back as it was written', () => {
    const key = fc.stringMatching(/^[a-zA-Z_.-]{1,12}$/);
    fc.assert(
      fc.property(fc.dictionary(key, fc.string({ unit: 'grapheme' }), { maxKeys: 6 }), (pairs) => {
        assert.deepEqual(Object.fromEntries(metadataPairs(header(pairs))), { ...pairs });
      }),
    );
  });
});
