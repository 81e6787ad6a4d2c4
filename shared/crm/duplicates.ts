import { z } from 'zod';
import type { Reader } from '../kernel/reader.ts';
import { unusualLetters } from '../platform/search/variants.ts';

export const duplicateKinds = ['company', 'contact'] as const;

export type DuplicateKind = (typeof duplicateKinds)[number];

/**
 * The name of a company as searches compare names: small kana and large ones, hyphens and long vowels, old and usual kanji are
 * one. Its index has these letters (`crm_companies_by_usual_name`): whoever adds one makes another index, and a test of plans says so.
 */
const USUAL_NAME = `translate(name_key, '${unusualLetters.others}', '${unusualLetters.usual}')`;

/**
 * Why records may be the same, by kind of record: what they share, in SQL, which records have it, in the words of the index along it,
 * and how surely it tells (0 to 100).
 */
const signs = {
  company: [
    {
      reason: 'corporate_number',
      key: 'coalesce(corporate_number, substr(invoice_registration_number, 2))',
      given: '(corporate_number IS NOT NULL OR invoice_registration_number IS NOT NULL)',
      score: 100,
    },
    { reason: 'email', key: 'email_key', given: 'email_key IS NOT NULL', score: 80 },
    { reason: 'name', key: USUAL_NAME, given: `${USUAL_NAME} IS NOT NULL`, score: 70 },
    { reason: 'phone', key: 'phone_digits', given: 'phone_digits IS NOT NULL', score: 60 },
  ],
  contact: [
    { reason: 'email', key: 'email_key', given: 'email_key IS NOT NULL', score: 80 },
    { reason: 'phone', key: 'phone_digits', given: 'phone_digits IS NOT NULL', score: 60 },
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
 * Groups of records that share a number, an e-mail, a phone number or, for companies, a name without its legal form and in
 * usual letters; the surest first. Found by the database: each sign is grouped along its own index.
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
    `WITH duplicates AS (${groups}),
          page AS (SELECT * FROM duplicates ORDER BY score DESC, kind, ids LIMIT $2 OFFSET $3)
     SELECT (SELECT count(*) FROM duplicates) AS total,
            (SELECT coalesce(json_agg(page), '[]') FROM page) AS found`,
    [reader.organization_id, limit, offset],
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
  { reason, key, given, score }: (typeof signs)[DuplicateKind][number],
): string {
  const table = kind === 'company' ? 'crm_companies' : 'crm_contacts';
  const groups = groupsIn(`${table} WHERE organization_id = $1 AND ${given}`, key);
  return `SELECT '${kind}' AS kind, '${reason}' AS reason, ${score} AS score, ids FROM (${groups}) AS ${reason}_groups`;
}

/** Groups of rows that share a value, each as the IDs of the oldest. */
function groupsIn(rows: string, key: string): string {
  return `SELECT (array_agg(id ORDER BY id))[1:50] AS ids
            FROM ${rows} GROUP BY ${key} HAVING count(*) > 1`;
}

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
