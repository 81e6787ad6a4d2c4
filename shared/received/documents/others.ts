import { loadOncePerTurn } from '../../db/load-once-per-turn.ts';
import type { Reader } from '../../kernel/reader.ts';

/** Claims of kinds whose holders are asked for; `but`: the document that does not count as one. */
export type AskedClaims = { claims: readonly { kind: string; claim: string }[]; but: string | null };

/** What of a document others are compared with. */
type Own = { id: string; kind: string; company_key: string; total: number; day: string };

/** `holders` by `<kind> <claim>`; `alike` are IDs. */
type Others = { holders: Map<string, string>; alike: string[] };

type OtherRow = { place: number; kind: string | null; claim: string | null; document_id: string };

/** Documents that are named as alike of one: who sees so many looks at the list of the company. */
const MOST = 20;

/** SQL: the IDs of the documents that are alike to a row `own`: of the same sender with the same total within 7 days. */
export const ALIKE = `SELECT other.id FROM received_documents AS other
   WHERE other.organization_id = $1 AND other.kind = own.kind AND other.company_key = own.company_key
     AND other.total = own.total AND other.total <> 0 AND other.status <> 'rejected' AND other.id <> own.id
     AND coalesce(other.issue_date, other.received_on) BETWEEN own.day - 7 AND own.day + 7
   ORDER BY other.id LIMIT ${MOST}`;

const HOLDER = `SELECT document_id FROM received_claims AS held
   WHERE held.organization_id = $1 AND held.kind = asked.kind AND held.claim >= asked.claim
     AND held.claim < asked.claim || '!' AND held.document_id IS DISTINCT FROM asked.but
   ORDER BY held.claim LIMIT 1`;

/** A set that JSON holds has one plan for any number: of a list, the server makes a new one each time. */
const OTHERS = `SELECT asked.place, asked.kind, asked.claim, holder.document_id
  FROM jsonb_to_recordset($2::jsonb) AS asked (place int, kind text, claim text, but text)
 CROSS JOIN LATERAL (${HOLDER}) AS holder
UNION ALL SELECT own.place, NULL, NULL, alike.id
  FROM jsonb_to_recordset($3::jsonb) AS own (place int, id text, kind text, company_key text, total bigint, day date)
 CROSS JOIN LATERAL (${ALIKE}) AS alike
 ORDER BY document_id`;

/** The keys are what is asked as JSON. */
const lookUp = loadOncePerTurn(async ({ connection, organization_id }, keys) => {
  const claims: object[] = [];
  const own: object[] = [];
  for (const [place, key] of keys.entries()) {
    const asked = JSON.parse(key) as AskedClaims | { own: Own };
    if ('own' in asked) own.push({ place, ...asked.own });
    else claims.push(...asked.claims.map((claim) => ({ place, ...claim, but: asked.but })));
  }
  const rows = await connection.query<OtherRow>(
    OTHERS,
    [organization_id, JSON.stringify(claims), JSON.stringify(own)],
    { alone: true },
  );
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return new Map(keys.map((key, place): [string, Others] => [key, othersOf(byPlace.get(place) ?? [])]));
});

function othersOf(rows: readonly OtherRow[]): Others {
  const alike = rows.filter(({ claim }) => claim === null);
  const held = rows.filter(({ claim }) => claim !== null);
  return {
    holders: new Map(held.map(({ kind, claim, document_id }) => [`${kind} ${claim}`, document_id])),
    alike: alike.map(({ document_id }) => document_id),
  };
}

/**
 * What other documents hold of claims, and which are alike. All that is asked in the same moment, by one request or several,
 * is one statement.
 */
export async function askOthers(reader: Reader, asked: AskedClaims | { own: Own }): Promise<Others> {
  return (await lookUp(reader, JSON.stringify(asked)))!;
}
