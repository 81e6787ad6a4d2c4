import { compileForm } from '../../shared/forms/answers/compiled.ts';
import { judge } from '../../shared/forms/answers/judge.ts';
import { parseSchema } from '../../shared/forms/schema/parse.ts';

const RUNS = Number(process.env['BENCH_RUNS'] ?? 5_000);
const FIELDS = 200;
const PAGES = 10;
const LEAVES = 500;

/** The greatest form that there may be: 200 fields of six types on 10 pages, 500 leaves of conditions. */
function greatestForm() {
  let leaves = 0;
  const field = (number: number) => {
    const id = `f_${number}`;
    const common = { id, label: id, required: number % 3 === 0, ...conditionsOf(number) };
    const options = Array.from({ length: 10 }, (_, option) => ({ id: `o_${option}`, label: `${option}` }));
    const kinds = [
      { ...common, type: 'short_text', max_length: 200, pattern: '[a-z 0-9]+' },
      { ...common, type: 'number', decimals: 2, min: 0, max: 1_000 },
      { ...common, type: 'choice', options },
      { ...common, type: 'multi_choice', options },
      { ...common, type: 'date', min: '2000-01-01' },
      { ...common, type: 'email' },
    ];
    return kinds[number % kinds.length]!;
  };
  const conditionsOf = (number: number) => {
    if (number === 0 || leaves >= LEAVES) return {};
    const any = Array.from({ length: Math.min(3, LEAVES - leaves) }, (_, back) =>
      leaf(Math.max(0, number - 1 - back)),
    );
    leaves += any.length;
    return { show_if: { any } };
  };
  const leaf = (number: number) => {
    const asked = [
      { op: 'contains', value: 'Text' },
      { op: 'gte', value: '10.5' },
      { op: 'any_of', value: ['o_1', 'o_2'] },
      { op: 'contains', value: 'o_3' },
      { op: 'lt', value: '2030-01-01' },
      { op: 'answered' },
    ];
    return { field: `f_${number}`, ...asked[number % asked.length]! };
  };
  const fields = Array.from({ length: FIELDS }, (_, number) => field(number));
  const size = FIELDS / PAGES;
  const pages = Array.from({ length: PAGES }, (_, page) => ({
    id: `p_${page}`,
    fields: fields.slice(page * size, (page + 1) * size),
  }));
  return { schema: { version: 1, locale: 'en', pages }, leaves };
}

function answerTo(number: number): unknown {
  return ['some text 12', '１２.50', 'o_1', ['o_3', 'o_1'], '2026-04-01', 'hanako@example.com'][number % 6];
}

/** How long one judgement of the greatest form takes, all fields answered. */
export async function bench(): Promise<string> {
  const { schema, leaves } = greatestForm();
  const parsed = parseSchema(JSON.stringify(schema));
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults));
  const form = compileForm(parsed.schema);
  const data = Object.fromEntries(
    Array.from({ length: FIELDS }, (_, number) => [`f_${number}`, answerTo(number)]),
  );
  const submitted = { data, hidden: {}, today: '2026-11-27', files: new Map() };
  const { errors, visible_fields } = judge(form, submitted);
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    judge(form, submitted);
    return performance.now() - start;
  }).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(3);
  return [
    `${FIELDS} fields (${visible_fields.length} shown), ${leaves} conditions, ${RUNS} runs; milliseconds`,
    '| median | p95 | p99 |',
    '|---|---|---|',
    `| ${at(0.5)} | ${at(0.95)} | ${at(0.99)} |`,
  ].join('\n');
}
