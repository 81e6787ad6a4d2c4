import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { type Books, newBooks, type Side } from './books.ts';

/** Texts that would be something else in a file that does not guard them. */
const TEXTS = [
  null,
  '4月分家賃',
  '; kind:closing',
  '値引き | 返品',
  '=cmd()',
  '改行\nあり\r\n2025-01-01 * 偽の仕訳',
  '  前後の空白  ',
  '(99) 番号ではない',
  'タブ\tと、カンマ, "引用"',
  '* ! 印',
  '12 JPY @ 3',
];

/** Of every type and most sections. */
const CODES =
  '1110 1140 1220 1580 1650 1690 2120 2310 2330 2385 2520 3110 3330 4110 4120 4190 5120 5140 6110 6230 6310 6410 7110 7210 8220 9110'.split(
    ' ',
  );

const CATEGORIES = ['O', 'S10', 'S8R', 'P10', 'P8R', 'P10T80', 'PE'];

/** What becomes of an entry. */
const FATES = [
  'approved and posted',
  'voided',
  'voided later',
  'draft',
  'submitted',
  'approved',
  'rejected',
] as const;

/** Numbers that follow from a seed (mulberry32), so that a run can be repeated. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof randomFrom>;

/** Calls that are under way at the same time. */
const AT_ONCE = 8;

/**
 * Books of 2025 with so many entries of all kinds, in all states, with texts that are hard to write, of companies of which
 * two were merged since.
 */
export async function bookRandomYear(app: TestApp, count: number, seed: number): Promise<Books> {
  const books = await newBooks(app);
  await books.patch('/accounting/settings', { approval: { four_eyes: false } });
  const companies: string[] = [];
  for (const name of ['青山商店', '青山商店（旧）', '同名商事', '同名商事', '=cmd(),"髙﨑"']) {
    companies.push((await books.post('/crm/companies', { name })).body.company.id);
  }
  await books.post_entry(
    '2025-01-01',
    [
      ['1140', 30_000_000],
      ['1650', 6_000_000],
      ['1690', -2_000_000],
      ['3110', -20_000_000],
      ['3330', -14_000_000],
    ],
    { kind: 'opening', description: '開始残高' },
  );
  const random = randomFrom(seed);
  const entries = Array.from({ length: count }, () => entryOf(random, companies));
  let next = 0;
  const work = async () => {
    for (let entry = entries[next++]; entry; entry = entries[next++]) await live(books, entry);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const merged = await books.post(`/crm/companies/${companies[0]}/merge`, { loser_id: companies[1] });
  assert.ok(merged.status < 300, merged.text);
  return books;
}

type RandomEntry = {
  date: string;
  later: string;
  sides: Side[];
  fields: Record<string, unknown>;
  fate: 'posted' | (typeof FATES)[number];
};

function entryOf(random: Random, companies: readonly string[]): RandomEntry {
  const one = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  const day = random(365);
  const dayOf = (n: number) => new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10);
  const more = () => ({
    tax_category: one(CATEGORIES),
    company_id: one([null, ...companies]),
    description: one(TEXTS),
  });
  const sides: Side[] = [];
  let left = 0;
  for (let at = 0; at < 1 + random(4); at += 1) {
    const amount = (1 + random(999_999)) * (random(4) === 0 ? -1 : 1);
    left -= amount;
    sides.push([one(CODES), amount, more()]);
  }
  if (left === 0) {
    sides[0]![1] += 1;
    left = -1;
  }
  sides.push([one(CODES), left, more()]);
  const kind = random(6) === 0 ? 'adjusting' : 'normal';
  return {
    date: dayOf(day),
    later: dayOf(day + random(365 - day)),
    sides: sides.filter(([, amount]) => amount !== 0),
    fields: { kind, description: one(TEXTS), reference: one([null, 'R-1', '=1+1']) },
    fate: random(2) === 0 ? 'posted' : one(FATES),
  };
}

async function live(books: Books, { date, later, sides, fields, fate }: RandomEntry): Promise<void> {
  const { id } = await books.book(date, sides, { ...fields, post: fate === 'posted' });
  const steps: readonly (readonly [string, unknown?])[] = {
    posted: [],
    'approved and posted': [['submit'], ['approve'], ['post']] as const,
    voided: [['post'], ['void', { reason: '誤り' }]] as const,
    'voided later': [['post'], ['void', { reason: '誤り', date: later }]] as const,
    draft: [],
    submitted: [['submit']] as const,
    approved: [['submit'], ['approve']] as const,
    rejected: [['submit'], ['approve', { action: 'reject', comment: '再確認' }]] as const,
  }[fate];
  for (const [action, body] of steps) {
    const reply = await books.act(id, action, body);
    assert.equal(reply.status, 200, reply.text);
  }
}

/** Takes back and removes what is not posted: it would keep the year from being closed. */
export async function removeUnposted(books: Books): Promise<void> {
  for (const status of ['submitted', 'approved', 'draft', 'rejected']) {
    for (;;) {
      const reply = await books.get(`/accounting/journals?status=${status}&limit=200&skip_total=true`);
      assert.equal(reply.status, 200, reply.text);
      if (reply.body.items.length === 0) break;
      for (const { id } of reply.body.items) {
        if (status === 'submitted' || status === 'approved') await books.act(id, 'withdraw');
        const removed = await books.delete(`/accounting/journals/${id}`);
        assert.equal(removed.status, 200, removed.text);
      }
    }
  }
}
