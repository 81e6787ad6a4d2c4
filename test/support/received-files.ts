import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds, type ReceivedKind } from '../../shared/received/documents/kinds.ts';
import type { Reply } from './client.ts';
import { pdfOfPages } from './made-pdfs.ts';
import type { Buyer } from './received.ts';

/** A file of a form. */
export type SentFile = { name: string; bytes: Buffer };

/** A PDF of one page that says so; another text makes another file. */
export function paper(text: string): SentFile {
  return { name: '請求書.pdf', bytes: pdfOfPages([{ text }]) };
}

/** A form with files, and fields as JSON in `data`. */
export function formOf(files: readonly SentFile[], data?: object): FormData {
  const form = new FormData();
  if (data) form.append('data', JSON.stringify(data));
  for (const { name, bytes } of files) form.append('file', new File([new Uint8Array(bytes)], name));
  return form;
}

/** Tries to register a document with files. */
export function attemptWith(
  buyer: Buyer,
  kind: ReceivedKind,
  files: readonly SentFile[],
  data: object = {},
): Promise<Reply> {
  return buyer.post(`/${kinds[kind].path}`, formOf(files, { company_id: buyer.company.id, ...data }));
}

/** Adds files to a document. */
export function addTo(
  buyer: Buyer,
  kind: ReceivedKind,
  id: string,
  files: readonly SentFile[],
  fields: Record<string, string> = {},
): Promise<Reply> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, bytes } of files) form.append('file', new File([new Uint8Array(bytes)], name));
  return buyer.post(`/${kinds[kind].path}/${id}/files`, form);
}

/** The same PDF as qpdf makes it with these words. */
export function byQpdf(pdf: Buffer, ...words: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'received-'));
  const [given, made] = [join(folder, 'given.pdf'), join(folder, 'made.pdf')];
  writeFileSync(given, pdf);
  execFileSync('qpdf', [...words, given, made]);
  return readFileSync(made);
}
