import assert from 'node:assert/strict';
import type { Client } from './client.ts';

/** A page of a form as the tests write it: its ID follows from its place unless said. */
type Page = { id?: string; fields: readonly object[] } & Record<string, unknown>;

/** The text of a schema with those pages. */
export function schemaOf(pages: readonly Page[], more: Record<string, unknown> = {}): string {
  const numbered = pages.map((page, index) => ({ id: `page_${index + 1}`, ...page }));
  return JSON.stringify({ version: 1, locale: 'ja', pages: numbered, ...more });
}

/** One page with an e-mail address, a name, a text that must be there, and a consent. */
export const ENQUIRY = schemaOf([
  {
    fields: [
      { id: 'email', type: 'email', label: 'メールアドレス' },
      { id: 'who', type: 'name', label: 'お名前' },
      { id: 'text', type: 'long_text', label: 'お問い合わせ内容', required: true },
      { id: 'news', type: 'consent', label: 'お知らせ', text: 'メールでのお知らせを希望します' },
    ],
  },
]);

/** The example of the page about forms, in prose: what a visitor wants, what is broken, and how many seats. */
export const VISIT = schemaOf([
  {
    id: 'visit',
    fields: [
      {
        id: 'kind',
        type: 'choice',
        label: 'ご用件',
        required: true,
        options: [
          { id: 'new', label: '新規' },
          { id: 'repair', label: '修理' },
        ],
      },
      {
        id: 'model',
        type: 'short_text',
        label: '機種',
        required: true,
        show_if: { field: 'kind', op: 'equals', value: 'repair' },
      },
    ],
    next: [{ if: { field: 'kind', op: 'equals', value: 'new' }, to: 'plan' }],
  },
  { id: 'fault', fields: [{ id: 'since', type: 'date', label: '発生日', required: true }] },
  {
    id: 'plan',
    fields: [
      { id: 'seats', type: 'number', label: '席数', required: true, min: '1', max: '500' },
      {
        id: 'budget',
        type: 'number',
        label: '予算',
        required_if: { field: 'seats', op: 'gte', value: '100' },
      },
    ],
  },
]);

type Made = { id: string; slug: string };

/** Makes a form by the API, publishes it, and changes its settings where some are given. */
export async function publishedForm(
  client: Client,
  {
    schema_json = ENQUIRY,
    title = 'お問い合わせ',
    settings,
    slug,
  }: {
    schema_json?: string;
    title?: string;
    settings?: Record<string, unknown>;
    slug?: string;
  } = {},
): Promise<Made> {
  const made = await client.post('/forms', { title, schema_json, ...(slug && { slug }) });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.form;
  const published = await client.post(`/forms/${id}/publish`);
  assert.equal(published.status, 200, published.text);
  if (settings) {
    const changed = await client.patch(`/forms/${id}/settings`, settings);
    assert.equal(changed.status, 200, changed.text);
  }
  return { id, slug: made.body.form.slug };
}
