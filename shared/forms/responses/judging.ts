import { todayIn } from '../../kernel/days.ts';
import { invalidAll } from '../../kernel/failure.ts';
import type { Work } from '../../kernel/work.ts';
import { type CompiledForm, compiledForm } from '../answers/compiled.ts';
import { type Judged, judge } from '../answers/judge.ts';
import { type Claimant, claimableFiles, fileIdsIn, refuseBeyondLimit } from '../files/claim.ts';
import type { ResponseFile } from '../files/record.ts';
import type { FormSettings } from '../settings/record.ts';
import type { FormVersion } from '../versions/record.ts';
import type { Person } from './admit.ts';

/** Answers and hidden values as somebody sends them. */
export type SentAnswers = { data: Record<string, unknown>; hidden: Record<string, unknown> };

/** Answers without a fault, with the files that they name. */
export type Accepted = { compiled: CompiledForm; judged: Judged; files: ResponseFile[] };

type Judging = { version: FormVersion; settings: Pick<FormSettings, 'time_zone'>; claimant: Claimant };

/**
 * Judges what was sent by a version of a form, steps 3 to 7 of a submission. Errors: `validation_failed` with everything that is
 * wrong; `body_too_large` for files beyond 100 MiB together. Locks: the files that are named.
 */
export async function acceptedAnswers(
  work: Work,
  { version, settings, claimant }: Judging,
  { data, hidden }: SentAnswers,
): Promise<Accepted> {
  const compiled = compiledForm(version.schema_json, version.sha256);
  const named = await claimableFiles(work, claimant, fileIdsIn(data));
  const today = todayIn(settings.time_zone, work.now);
  const judged = judge(compiled, { data, hidden, today, files: named });
  if (judged.errors.length > 0) throw invalidAll(judged.errors);
  const files = fileIdsIn(judged.data).flatMap((id) => named.get(id) ?? []);
  refuseBeyondLimit(files);
  return { compiled, judged, files };
}

/** The e-mail addresses among stored answers, as CRM compares them, by their fields. */
export function emailKeys({ compiled, judged }: Accepted): { field_id: string; email_key: string }[] {
  return [...compiled.fields.values()].flatMap(({ field: { id, type } }) => {
    const answer = judged.data[id];
    return type === 'email' && typeof answer === 'string'
      ? [{ field_id: id, email_key: answer.toLowerCase() }]
      : [];
  });
}

/** Who counts as the person of a response, where the form takes one of each. */
export function personOf(
  { one_per, one_per_field }: Pick<FormSettings, 'one_per' | 'one_per_field'>,
  keys: readonly { field_id: string; email_key: string }[],
): Person {
  if (one_per === 'none' || one_per_field === null) return { field_id: '', email_key: null };
  const known = keys.find(({ field_id }) => field_id === one_per_field);
  return { field_id: one_per_field, email_key: known?.email_key ?? null };
}
