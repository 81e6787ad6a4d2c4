import assert from 'node:assert/strict';
import { filled } from '../../support/plans.ts';
import { type BenchForms, openBenchForms } from './office.ts';
import { CALLS, inTurns, TURNS_TABLE, type Turn } from './turns.ts';
import { answersTo, formOfTwelve } from './twelve-fields.ts';

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,1000000').split(',').map(Number);
const NAMED = new RegExp(process.env['BENCH_NAMED'] ?? '');
const TOKENS_TOGETHER = 32;

/** The guard is as a new form has it, but for what would flag who submits as soon as they have a token. */
const GUARDED = { spam: { min_seconds: 0 } };

/** Each guest's address submits some 20 times, of the 60 that a new form takes. */
const ADDRESSES = Math.ceil(CALLS / 20);

/**
 * Submissions beside one insert of Koa and Objection, where the form has few responses and where it has very many. `BENCH_NAMED`
 * names some of the cases by a regular expression.
 */
export async function submit(): Promise<string> {
  const tables: string[] = [];
  for (const size of SIZES) tables.push(`Beside ${size} responses:\n\n${await submitBeside(size)}`);
  return tables.join('\n\n');
}

async function submitBeside(size: number): Promise<string> {
  const office = await openBenchForms();
  try {
    const form = await filled(office.url, () => formOfTwelve(office, GUARDED, size));
    const limited = await formOfTwelve(office, { ...GUARDED, max_responses: 1_000_000 }, 0);
    const told = await formOfTwelve(office, { ...GUARDED, notify: { emails: ['desk@example.com'] } }, 0);
    const turns: Turn[] = [
      byKey('by key', form, '0.5'),
      await asGuest('by anybody', form, '0.5'),
      byKey('by key, with max_responses', limited, '0.3'),
      byKey('by key, with a notice by mail', told, ''),
    ].filter(({ name }) => NAMED.test(name));
    const bare: Turn = {
      name: 'bare',
      server: office.bare,
      path: `/forms/${form.id}/responses`,
      headers: office.headers,
      body: (n) => JSON.stringify({ data: answersTo(n) }),
      aim: null,
    };
    return [...TURNS_TABLE, ...(await inTurns(office, [bare, ...turns]))].join('\n');
  } finally {
    await office.close();
  }

  function byKey(name: string, { id }: { id: string }, aim: string): Turn {
    return {
      name,
      server: office.ours,
      path: `/api/v1/forms/${id}/responses`,
      headers: office.headers,
      body: (n) => JSON.stringify({ data: answersTo(n) }),
      aim,
    };
  }

  async function asGuest(name: string, { slug }: { slug: string }, aim: string): Promise<Turn> {
    const path = `/forms/p/${office.actor.organization_id.replace('_', '-')}/${slug}`;
    const tokens = NAMED.test(name) ? await formTokens(office, path) : [];
    return {
      name,
      server: office.ours,
      path: `/api/v1${path}/responses`,
      headers: { 'content-type': 'application/json' },
      body: (n) => JSON.stringify({ form_token: tokens.pop(), data: answersTo(n) }),
      address: (n) => `10.${(n % ADDRESSES) >> 8}.${(n % ADDRESSES) & 255}.1`,
      aim,
    };
  }
}

/** One for each submission, all issued before the first of them: later ones would ask for a proof of work. */
async function formTokens({ call }: BenchForms, path: string): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < CALLS) {
    const issued = await Promise.all(
      Array.from({ length: TOKENS_TOGETHER }, () => call('POST', `${path}/tokens`, {})),
    );
    for (const { form_token, challenge } of issued) {
      assert.equal(challenge, null);
      tokens.push(form_token);
    }
  }
  return tokens;
}
