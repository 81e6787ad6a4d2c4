import { inSnapshot } from '../../db/snapshot.ts';
import type { Reader } from '../../kernel/reader.ts';
import { type Catalogue, catalogueOf } from '../versions/catalogue.ts';
import { COUNTED, type CountedAnswer, type Counts, NUMERIC, type NumbersOf, summedFields } from './fields.ts';
import type { FormSummary, SummaryPeriod } from './record.ts';

/** More responses than this are summed up by a worker. */
export const SUMMED_AT_ONCE = 200_000;

const RESPONSES = `forms_responses WHERE organization_id = $1 AND form_id = $2 AND NOT is_spam
  AND ($3::timestamptz IS NULL OR submitted_at >= $3) AND ($4::timestamptz IS NULL OR submitted_at < $4)`;

const BY_VERSION = `SELECT form_version, count(*)::integer AS count FROM ${RESPONSES} GROUP BY form_version`;

/** Equal answers together, so that few rows are sent; of what is not counted one by one, only how often it was answered. */
const ANSWERS = `SELECT field, CASE WHEN field = ANY ($5) THEN value END AS value, count(*)::integer AS count
  FROM (SELECT data FROM ${RESPONSES}) AS response, jsonb_each(data) AS answer (field, value) GROUP BY 1, 2`;

/** The middle value from both ends: the same one where their number is odd. */
const NUMBERS = `SELECT field, count(*)::integer AS count, min(value)::text AS min, max(value)::text AS max,
    sum(value)::text AS sum, (percentile_disc(0.5) WITHIN GROUP (ORDER BY value))::text AS lower,
    (percentile_disc(0.5) WITHIN GROUP (ORDER BY value DESC))::text AS upper
  FROM (SELECT field, (data ->> field)::numeric AS value
          FROM (SELECT data FROM ${RESPONSES}) AS response, unnest($5::text[]) AS field) AS answer
 WHERE value IS NOT NULL GROUP BY field`;

const VISITS =
  'SELECT page_id, views, starts, reached FROM forms_visits WHERE organization_id = $1 AND form_id = $2';

type Visits = { page_id: string; views: number; starts: number; reached: number };

/** Whether so many responses are to be summed up that a worker does it. */
export async function isLarge(
  { connection, organization_id }: Reader,
  form_id: string,
  period: SummaryPeriod,
): Promise<boolean> {
  const [found] = await connection.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM (SELECT FROM ${RESPONSES} LIMIT ${SUMMED_AT_ONCE + 1}) AS response`,
    [organization_id, form_id, ...bounds(period)],
  );
  return found!.count > SUMMED_AT_ONCE;
}

/** What the responses of a form come to, as of one moment; all are read. */
export function summaryOf(reader: Reader, form_id: string, period: SummaryPeriod): Promise<FormSummary> {
  return inSnapshot(reader, async () => {
    const catalogue = await catalogueOf(reader, form_id);
    const { connection, organization_id } = reader;
    const visits = await connection.query<Visits>(VISITS, [organization_id, form_id]);
    const counts = await countsOf(reader, form_id, period, catalogue);
    const whole = visits.find(({ page_id }) => page_id === '');
    const reached = new Map(visits.map((visit) => [visit.page_id, visit.reached]));
    return {
      object: 'forms.summary',
      form_id,
      views: Number(whole?.views ?? 0),
      starts: Number(whole?.starts ?? 0),
      completions: [...counts.by_version.values()].reduce((sum, count) => sum + count, 0),
      pages: (catalogue?.page_ids ?? []).map((id) => ({ id, reached: Number(reached.get(id) ?? 0) })),
      fields: catalogue ? summedFields(catalogue, counts) : [],
    };
  });
}

async function countsOf(
  { connection, organization_id }: Reader,
  form_id: string,
  period: SummaryPeriod,
  catalogue: Catalogue | null,
): Promise<Counts> {
  const values = [organization_id, form_id, ...bounds(period)];
  const fields = catalogue?.fields ?? [];
  const of = (types: ReadonlySet<string>) => fields.filter(({ type }) => types.has(type)).map(({ id }) => id);
  const versions = await connection.query<{ form_version: number; count: number }>(BY_VERSION, values);
  const answers = await connection.query<CountedAnswer & { field: string }>(ANSWERS, [
    ...values,
    of(COUNTED),
  ]);
  const numbers = await connection.query<NumbersOf & { field: string }>(NUMBERS, [...values, of(NUMERIC)]);
  const answered = new Map<string, number>();
  for (const { field, count } of answers) answered.set(field, (answered.get(field) ?? 0) + count);
  return {
    by_version: new Map(versions.map(({ form_version, count }) => [form_version, count])),
    answered,
    answers: Map.groupBy(answers, ({ field }) => field),
    numbers: new Map(numbers.map(({ field, ...sums }) => [field, sums])),
  };
}

function bounds({ submitted_after = undefined, submitted_before = undefined }: SummaryPeriod) {
  return [submitted_after ?? null, submitted_before ?? null];
}
