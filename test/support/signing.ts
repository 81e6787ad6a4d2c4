import assert from 'node:assert/strict';
import type { Grant, Role } from '../../shared/kernel/scope.ts';
import type { TestActor } from './actors.ts';
import type { TestApp } from './app.ts';
import type { Client, Reply } from './client.ts';
import { pdfOfPages } from './made-pdfs.ts';

/** Somebody who sends documents for signing. */
export type Sender = Client & {
  actor: TestActor;
  /** Another member with a key, with the role member unless said. */
  colleague(role?: Role): Promise<Sender>;
  /** A draft with a file, by a form; a signer who signs on the first page unless said. */
  draft(fields?: object, pdf?: Buffer): Promise<Reply['body']>;
  /** The answer to such a form. */
  upload(fields: object, pdf?: Buffer | null): Promise<Reply>;
};

/** A member with a key; an owner of a new organization unless said. */
export async function newSender(
  app: TestApp,
  options: { organization_id?: string; role?: Role; scopes?: Grant[] } = {},
): Promise<Sender> {
  const client = await app.actor(options);
  const { organization_id } = client.actor;
  const upload = (fields: object, pdf: Buffer | null = blankPdf(2)) =>
    client.post('/sign/documents', formOf(pdf, fields));
  return {
    ...client,
    colleague: (role = 'member') => newSender(app, { organization_id, role }),
    upload,
    draft: async (fields = {}, pdf) => {
      const reply = await upload({ title: '業務委託契約書', ...oneSigner, ...fields }, pdf);
      assert.equal(reply.status, 201, reply.text);
      return reply.body.document;
    },
  };
}

/** A signer with a signature on the first page. */
export const oneSigner = {
  signers: [{ name: '佐藤 花子', email: 'hanako@example.jp' }],
  fields: [{ signer: 's1', type: 'signature', page: 1, x: 0.1, y: 0.8, w: 0.25, h: 0.05 }],
};

/** A form with a PDF, and the rest as JSON in `data`. */
export function formOf(pdf: Buffer | null, fields: object | null, file_name = '契約書.pdf'): FormData {
  const form = new FormData();
  if (fields) form.append('data', JSON.stringify(fields));
  if (pdf) form.append('file', new Blob([new Uint8Array(pdf)], { type: 'application/pdf' }), file_name);
  return form;
}

/** A plain PDF with so many empty pages; `catalog` are more entries of its catalog. */
export function blankPdf(pages = 1, catalog = ''): Buffer {
  return pdfOfPages(
    Array.from({ length: pages }, () => ({})),
    catalog,
  );
}
