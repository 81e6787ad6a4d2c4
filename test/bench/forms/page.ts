import assert from 'node:assert/strict';
import { openForm } from '../../support/open-forms.ts';
import { openBenchForms } from './office.ts';
import { inTurns, TURNS_TABLE } from './turns.ts';
import { twentyFields } from './twenty-fields.ts';

/** The page of a form of twenty fields beside one row by its ID with Koa and Objection. */
export async function page(): Promise<string> {
  const office = await openBenchForms();
  const { bare, ours, actor, headers } = office;
  try {
    const { form_id, path: open } = await openForm(office.database, actor, twentyFields);
    const path = open.replace('/forms/p/', '/f/');
    const reply = await fetch(`${bare.base_url}/forms/${form_id}/responses`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ data: { field_0: 'repair' } }),
    });
    const { response } = (await reply.json()) as { response: { id: string } };
    const shown = await (await fetch(`${ours.base_url}${path}`)).text();
    assert.ok(shown.includes('field_19'), shown);
    const lines = await inTurns(office, [
      { name: 'bare', server: bare, path: `/responses/${response.id}`, headers: {}, aim: null },
      { name: 'page of 20 fields', server: ours, path, headers: {}, aim: '0.4' },
    ]);
    return [...TURNS_TABLE, ...lines, '', `The page has ${Buffer.byteLength(shown)} bytes.`].join('\n');
  } finally {
    await office.close();
  }
}
