import type { Database } from '../../shared/db/database.ts';
import { newId } from '../../shared/kernel/id.ts';

type Bulk = {
  form_id: string;
  count: number;
  /** Milliseconds between two of them. */
  apart: number;
  /** When the last is submitted; now unless said. */
  end?: number;
};

/** Responses with an e-mail answer and their events, as many as wanted, in a few statements. Answers their IDs. */
export async function bulkResponses(
  { database, organization_id }: { database: Database; organization_id: string },
  { form_id, count, apart, end = Date.now() }: Bulk,
): Promise<string[]> {
  const times = Array.from({ length: count }, (_, n) => new Date(end - (count - 1 - n) * apart));
  const ids = times.map((time) => newId('resp', time));
  const values = [organization_id, form_id, ids, times.map((time) => time.toISOString())];
  const gone = 'unnest($3::text[], $4::timestamptz[])';
  await database.withConnection(organization_id, async ({ query }) => {
    await query(
      `INSERT INTO forms_responses (organization_id, id, form_id, form_version, data, locale, source, search_text,
         search_grams, submitted_at, updated_at)
       SELECT $1, id, $2, 1, '{"email":"hanako@example.com","text":"secret answer"}', 'ja', 'public', 'secret answer', '{}',
         at, at FROM ${gone} AS response (id, at)`,
      values,
    );
    await query(
      `INSERT INTO forms_emails SELECT $1, id, 'email', $2, 'hanako@example.com'
         FROM ${gone} AS response (id, at)`,
      values,
    );
    await query(
      `INSERT INTO events SELECT $1, event, 'forms.response.submitted', json_build_object('id', id, 'object',
          'forms.response', 'form_id', $2::text, 'data', json_build_object('text', 'secret answer'), 'submitted_at', at),
          NULL, NULL, at
         FROM unnest($3::text[], $4::timestamptz[], $5::text[]) AS response (id, at, event)`,
      [...values, times.map((time) => newId('evt', time))],
    );
    await query(
      `INSERT INTO forms_counts AS known VALUES ($1, $2, 3, $3, 0, $4)
       ON CONFLICT (organization_id, form_id, slot) DO UPDATE SET response_count = known.response_count + $3`,
      [organization_id, form_id, count, new Date(end).toISOString()],
    );
  });
  return ids;
}
