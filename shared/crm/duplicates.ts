import { z } from 'zod';
import type { Reader } from '../kernel/reader.ts';
import { oldKanji, oldKanjiGrams } from '../platform/search/variants.ts';

export const duplicateKinds = ['company', 'contact'] as const;

export type DuplicateKind = (typeof duplicateKinds)[number];

/** Why records may be the same, by kind of record: what they share, in SQL, and how surely it tells (0 to 100).
 * Names are compared as `SAME_NAME` does. */
const signs = {
  company: [
    {
      reason: 'corporate_number',
      key: 'coalesce(corporate_number, substr(invoice_registration_number, 2))',
      score: 100,
    },
    { reason: 'email', key: 'email_key', score: 80 },
    { reason: 'name', key: null, score: 70 },
    { reason: 'phone', key: 'phone_digits', score: 60 },
  ],
  contact: [
    { reason: 'email', key: 'email_key', score: 80 },
    { reason: 'phone', key: 'phone_digits', score: 60 },
  ],
} as const;

const reasons = ['corporate_number', 'email', 'name', 'phone'] as const;

/** Records that may be one and the same, as the API shows them. */
export const Duplicate = z
  .strictObject({
    kind: z.enum(duplicateKinds),
    score: z.int().min(0).max(100).describe('How sure it is; each further reason adds 10.'),
    reasons: z.array(z.enum(reasons)).describe('What the records have in common.'),
    records: z
      .array(
        z.strictObject({
          id: z.string().meta({ examples: ['cont_01kaj2n5w5fq8b4m0g3v7x9rtc'] }),
          title: z.string().meta({ examples: ['山田 花子'] }),
        }),
      )
      .describe('The oldest 50 of them, oldest first.'),
  })
  .meta({ id: 'Duplicate' });

export type Duplicate = z.output<typeof Duplicate>;

type Group = {
  kind: DuplicateKind;
  score: number;
  reasons: Duplicate['reasons'];
  ids: string[];
  total: number;
};

/**
 * Groups of records that share a number, an e-mail, a phone number or, for companies, a name without its legal form and with
 * usual kanji for old ones; the surest first. Found by the database: each sign is grouped along its own index.
 */
export async function duplicates(
  reader: Reader,
  kinds: readonly DuplicateKind[],
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Duplicate[]; total: number }> {
  const signed = kinds.flatMap((kind) => signs[kind].map((sign) => groupsBy(kind, sign)));
  const groups = `SELECT kind, ids, least(100, max(score) + 10 * (count(*) - 1))::integer AS score,
                         array_agg(reason ORDER BY reason) AS reasons
                    FROM (${signed.join(' UNION ALL ')}) AS signed GROUP BY kind, ids`;
  const [counted] = await reader.connection.query<{ total: number; found: Group[] }>(
    `WITH varied AS (${VARIED}), duplicates AS (${groups}),
          page AS (SELECT * FROM duplicates ORDER BY score DESC, kind, ids LIMIT $2 OFFSET $3)
     SELECT (SELECT count(*) FROM duplicates) AS total,
            (SELECT coalesce(json_agg(page), '[]') FROM page) AS found`,
    [reader.organization_id, limit, offset, oldKanjiGrams, oldKanji.old, oldKanji.usual],
    { prepared: false },
  );
  const { total, found } = counted!;
  const titles = await titlesOf(
    reader,
    found.flatMap(({ ids }) => ids),
  );
  const rows = found.map(({ kind, score, reasons: shared, ids }) => ({
    kind,
    score,
    reasons: shared,
    records: ids.map((id) => ({ id, title: titles.get(id) ?? '' })),
  }));
  return { rows, total };
}

function groupsBy(
  kind: DuplicateKind,
  { reason, key, score }: (typeof signs)[DuplicateKind][number],
): string {
  const table = kind === 'company' ? 'crm_companies' : 'crm_contacts';
  const groups = key === null ? SAME_NAME : groupsIn(`${table} WHERE organization_id = $1`, key);
  return `SELECT '${kind}' AS kind, '${reason}' AS reason, ${score} AS score, ids FROM (${groups}) AS ${reason}_groups`;
}

/** Groups of rows that share a value, each as the IDs of the oldest. */
function groupsIn(rows: string, key: string): string {
  return `SELECT (array_agg(id ORDER BY id))[1:50] AS ids
            FROM ${rows} AND ${key} IS NOT NULL GROUP BY ${key} HAVING count(*) > 1`;
}

/**
 * The companies whose names have old or popular kanji (髙橋), found by the index of the search, and how those names usually
 * are written (高橋).
 */
const VARIED = `
  SELECT id, name_key, usual_key
    FROM (SELECT id, name_key, translate(name_key, $5, $6) AS usual_key FROM crm_companies
           WHERE organization_id = $1 AND search_grams && $4::integer[]) AS searched
   WHERE usual_key <> name_key`;

/** Names that nobody writes in another way are grouped along their index, the others with those that are written as usual. */
const SAME_NAME = `
  ${groupsIn(
    `crm_companies WHERE organization_id = $1
        AND name_key NOT IN (SELECT name_key FROM varied UNION ALL SELECT usual_key FROM varied)`,
    'name_key',
  )}
  UNION ALL
  ${groupsIn(
    `(SELECT usual_key, id FROM varied
       UNION ALL
      SELECT name_key, id FROM crm_companies
       WHERE organization_id = $1 AND name_key IN (SELECT usual_key FROM varied)) AS named WHERE true`,
    'usual_key',
  )}`;

async function titlesOf(reader: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.connection.query<{ id: string; title: string }>(
    `SELECT id, name AS title FROM crm_companies WHERE organization_id = $1 AND id = ANY ($2)
     UNION ALL
     SELECT id, full_name FROM crm_contacts WHERE organization_id = $1 AND id = ANY ($2)`,
    [reader.organization_id, ids],
  );
  return new Map(rows.map(({ id, title }) => [id, title]));
}
