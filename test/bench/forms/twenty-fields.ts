import type { Database } from '../../../shared/db/database.ts';
import type { TestActor } from '../../support/actors.ts';
import { type SeededField, schemaWith, seedForm, seedResponses } from '../../support/many-responses.ts';
import { filled } from '../../support/plans.ts';

const options = ['new', 'repair', 'plan', 'other_kind'].map((id) => ({ id, label: `選択肢 ${id}` }));

const KINDS: readonly { id: string; more: object; answer: (n: number) => unknown }[] = [
  { id: 'choice', more: { options }, answer: (n) => options[n % 4]!.id },
  { id: 'multi_choice', more: { options }, answer: (n) => [options[n % 2]!.id, options[2 + (n % 2)]!.id] },
  { id: 'number', more: { min: '0', max: '99999' }, answer: (n) => String((n * 7_919) % 100_000) },
  { id: 'nps', more: {}, answer: (n) => n % 11 },
  { id: 'short_text', more: {}, answer: (n) => `回答${n % 1_000}` },
];

/** Twenty fields, four of each of five types. */
export const twentyFields: SeededField[] = Array.from({ length: 20 }, (_, place) => {
  const { id: type, more } = KINDS[place % KINDS.length]!;
  return { id: `field_${place}`, type, label: `項目${place}`, ...more };
});

/** A published form of twenty fields with so many responses that answer them all. */
export async function formOfTwenty(
  { database, url }: { database: Database; url: string },
  owner: TestActor,
  count: number,
): Promise<{ form_id: string; ids: string[] }> {
  return filled(url, async () => {
    const form = await seedForm(database, owner, [schemaWith(twentyFields)]);
    const ids = await seedResponses(database, owner, { ...form, fields: twentyFields }, count, (n) => ({
      data: Object.fromEntries(
        twentyFields.map(({ id }, place) => [id, KINDS[place % KINDS.length]!.answer(n + place)]),
      ),
    }));
    return { ...form, ids };
  });
}
