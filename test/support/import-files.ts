import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import iconv from 'iconv-lite';

export type FileForm = {
  encoding: 'utf-8' | 'shift_jis' | 'utf-16le';
  delimiter: ',' | '\t';
  /** Whether names are in Japanese letters; the rest is ASCII. */
  is_japanese: boolean;
  /** The number of the first row, 0 unless said: files that begin at others share the addresses of the numbers that both have. */
  from?: number;
  /** What follows the names: a list in which everybody is called otherwise. */
  after_names?: string;
};

const LAST = ['山田', '佐藤', '鈴木', '髙橋', '田中', '﨑山', '伊藤', '渡辺'];
const FIRST = ['太郎', '花子', '一郎', '美咲', '健', 'さくら'];
const BATCH = 5_000;

/**
 * Writes a file of e-mail, first name, last name and company, as Excel saves it: with a byte-order mark where the
 * encoding has one, CRLF at the ends. The addresses are in no order, and the same at each call.
 */
export async function writeImportFile(path: string, rows: number, form: FileForm): Promise<void> {
  const source = Readable.from(parts(rows, form), { objectMode: false });
  await pipeline(source, createWriteStream(path));
}

async function* parts(rows: number, form: FileForm): AsyncGenerator<Buffer> {
  const bytes = (text: string) => iconv.encode(text, form.encoding === 'shift_jis' ? 'cp932' : form.encoding);
  const mark = form.encoding === 'shift_jis' ? '' : '\ufeff';
  yield bytes(`${mark}${['email', 'first_name', 'last_name', 'company'].join(form.delimiter)}\r\n`);
  const first = form.from ?? 0;
  const end = first + rows;
  for (let from = first; from < end; from += BATCH) {
    let text = '';
    for (let at = from; at < Math.min(from + BATCH, end); at += 1) text += line(at, form);
    yield bytes(text);
  }
}

function line(at: number, { delimiter, is_japanese, after_names = '' }: FileForm): string {
  // A product with an odd number is a different one for each row, in no order.
  const mixed = Math.imul(at, 2_654_435_761) >>> 0;
  const first = is_japanese ? FIRST[mixed % FIRST.length]! : `First${mixed % 977}`;
  const last = is_japanese ? LAST[mixed % LAST.length]! : `Last${mixed % 1009}`;
  const email = `user${mixed.toString(36)}@example${at % 500}.co.jp`;
  const names = [`${first}${after_names}`, `${last}${after_names}`];
  return `${[email, ...names, `Company ${at % 5000}`].join(delimiter)}\r\n`;
}
