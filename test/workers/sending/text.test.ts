import assert from 'node:assert/strict';
import { PassThrough, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { leavingText, Text } from '../../../workers/mail/sending/text.ts';

describe('the text of a mail on its line', () => {
  const cases: [string, string, string | null][] = [
    ['lines', 'a: b\r\n\r\nc\r\n', 'a: b\r\n\r\nc\r\n.\r\n'],
    ['a dot within a line', 'a.\r\nb .c\r\n', 'a.\r\nb .c\r\n.\r\n'],
    ['a dot at the beginning', '.a\r\n', null],
    ['a dot at the beginning of a line', 'a\r\n.b\r\n', null],
    ['a line of one dot, which would end the text', 'a\r\n.\r\nMAIL FROM:<x@example.jp>\r\n', null],
    ['a dot behind a CR alone', 'a\r.\r\n', null],
    ['a dot behind an LF alone', 'a\n.\r\n', null],
    ['an LF alone', 'a\nb\r\n', null],
    ['an LF alone at the beginning', '\na\r\n', null],
    ['an LF alone at the end', 'a\n', null],
    ['a CR alone', 'a\rb\r\n', null],
    ['two CRs', 'a\r\r\n', null],
    ['a CR at the end', 'a\r\n\r', null],
    ['no end of its last line', 'a\r\nb', null],
    ['nothing', '', null],
    ['bytes beyond ASCII', 'é\r\n', 'é\r\n.\r\n'],
  ];
  for (const [what, text, leaving] of cases) {
    it(`is told of: ${what}`, () => {
      const ready = leavingText(Buffer.from(text));
      assert.equal(ready?.toString() ?? null, leaving);
    });
  }

  it('leaves only what no byte of has to be changed', () => {
    const pieces = fc.constantFrom('a', '.', '\r\n', '\r', '\n', '\r\n.', ' ');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (some) => {
        const text = some.join('');
        const escaped = text.replace(/\r\n|\r|\n/g, '\r\n').replace(/^\./gm, '..');
        const isSame = escaped === text && text.endsWith('\r\n');
        assert.equal(leavingText(Buffer.from(text))?.toString() ?? null, isSame ? `${text}.\r\n` : null);
      }),
      { numRuns: 2_000 },
    );
  });

  it('reaches the line in one piece where it may leave as it is, and by the stream of the library where not', async () => {
    const marking = () =>
      new Transform({
        transform: (chunk, _, done) => done(null, `<${chunk}>`),
        flush: (done) => done(null, '!'),
      });
    for (const [text, pieces] of [
      ['a\r\n', ['a\r\n.\r\n']],
      ['.a\r\n', ['<.a\r\n>', '!']],
    ] as const) {
      const mail = new Text(Buffer.from(text));
      const line: string[] = [];
      const stream = marking();
      const out = new PassThrough();
      stream.on('data', (chunk) => line.push(String(chunk)));
      stream.pipe(out);
      assert.equal(mail.begun, false);
      mail.pipe(stream);
      assert.equal(mail.begun, true);
      assert.equal(String(await buffer(out)), pieces.join(''));
      assert.deepEqual(line, pieces);
    }
  });
});
