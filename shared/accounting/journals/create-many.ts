import { Failure, type FieldError, invalidAll } from '../../kernel/failure.ts';
import { allows } from '../../kernel/scope.ts';
import type { Work } from '../../kernel/work.ts';
import { createJournals } from './operations.ts';
import type { Journal, JournalInput } from './record.ts';

/** Entries that one call makes. */
export const MOST_ENTRIES = 500;

/**
 * Makes entries in their order, all or none, and posts them in the same commit where the body says so: they are numbered in
 * that order. Errors: those of making one, at its place: `/journals/3/lines/1/debit`.
 */
export async function createManyJournals(
  work: Work,
  inputs: readonly Omit<JournalInput, 'post'>[],
  post: boolean,
): Promise<Journal[]> {
  const path = (index: number) => `/journals/${index}`;
  requireOwnKeysOnce(inputs, path);
  await requireNewKeys(work, inputs, path);
  return createJournals(work, inputs, { post, path });
}

type Placed = (index: number) => string;

/** Errors: `validation_failed` where two entries of the body have one external_id. */
function requireOwnKeysOnce(inputs: readonly Pick<JournalInput, 'external_id'>[], path: Placed): void {
  const first = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, { external_id }] of inputs.entries()) {
    if (!external_id) continue;
    const known = first.get(external_id);
    if (known === undefined) first.set(external_id, index);
    else {
      errors.push({
        in: 'body',
        path: `${path(index)}/external_id`,
        code: 'duplicate',
        message: {
          en: `external_id is that of ${path(known)}, too`,
          ja: `external_id が ${path(known)} と重複しています`,
        },
      });
    }
  }
  if (errors.length > 0) throw invalidAll(errors);
}

/** Errors: `already_exists`. Who takes an external_id at the same moment is found by the database. */
async function requireNewKeys(
  work: Work,
  inputs: readonly Pick<JournalInput, 'external_id'>[],
  path: Placed,
): Promise<void> {
  const keys = inputs.flatMap(({ external_id }) => external_id ?? []);
  if (keys.length === 0) return;
  const found = await work.connection.query<{ id: string; external_id: string }>(
    'SELECT id, external_id FROM accounting_journals WHERE organization_id = $1 AND external_id = ANY ($2)',
    [work.organization_id, keys],
  );
  const ids = new Map(found.map(({ id, external_id }) => [external_id, id]));
  const index = inputs.findIndex(({ external_id }) => external_id && ids.has(external_id));
  if (index < 0) return;
  const message = {
    en: 'Another entry has this external_id',
    ja: 'この external_id はほかの仕訳が使っています',
  };
  const mayRead = allows(work.actor.grants, 'accounting:read');
  throw new Failure('already_exists', {
    detail: message,
    errors: [{ in: 'body', path: `${path(index)}/external_id`, code: 'already_exists', message }],
    members: { existing_id: mayRead ? ids.get(inputs[index]!.external_id!) : null },
  });
}
