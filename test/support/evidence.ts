import type { TestApp } from './app.ts';
import type { Client } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read any answer and assert on what they find.
type Shown = any;

/** A PDF of one sentence, not the same for two numbers. */
export function pdfBytes(number: number): Buffer {
  return Buffer.from(`%PDF-1.4\n1 0 obj\n<< /Number ${number} >>\nendobj\n%%EOF\n`);
}

/** A form with a file and fields. */
export function evidenceForm(
  { bytes, name }: { bytes: Buffer; name: string },
  fields: Record<string, unknown> = {},
): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) {
    form.append(field, typeof value === 'string' ? value : JSON.stringify(value));
  }
  form.append('file', new File([new Uint8Array(bytes)], name));
  return form;
}

/** Sends a file with fields as evidence; `path` is a document's versions where it is one. */
export async function sendEvidence(
  app: TestApp,
  { actor }: Client & { actor: { secret: string } },
  { bytes, name = '領収書.pdf' }: { bytes: Buffer; name?: string },
  fields: Record<string, unknown> = {},
  path = '/accounting/documents',
): Promise<{ status: number; body: Shown; text: string }> {
  const form = evidenceForm({ bytes, name }, fields);
  const reply = await fetch(`${app.base_url}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${actor.secret}` },
    body: form,
  });
  const text = await reply.text();
  return { status: reply.status, body: JSON.parse(text), text };
}

/** The fields that every document has. */
export const RECEIPT = {
  document_type: 'receipt',
  transaction_date: '2025-04-25',
  amount: 11_000,
  partner_name: '株式会社港文具',
};
