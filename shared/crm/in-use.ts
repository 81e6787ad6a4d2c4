import { Failure } from '../kernel/failure.ts';
import type { Work } from '../kernel/work.ts';
import { countReferring, foreignReferences, type Reference } from '../platform/references.ts';

/**
 * Refuses to remove a locked company or contact while documents of other domains refer to it. Errors: `in_use` with
 * the counts by kind.
 */
export async function refuseInUse(
  work: Work,
  references: readonly Reference[],
  to: 'crm_companies' | 'crm_contacts',
  id: string,
): Promise<void> {
  const documents = await countReferring(work, foreignReferences(references, to, 'refused'), id);
  const counts = Object.entries(documents);
  if (counts.length === 0) return;
  const named = counts.map(([kind, count]) => `${count} ${kind}`).join(', ');
  const record = to === 'crm_companies' ? { en: 'company', ja: '取引先' } : { en: 'contact', ja: '担当者' };
  const detail = {
    en: `The ${record.en} has documents: ${named}`,
    ja: `${record.ja}には書類があります：${named}`,
  };
  throw new Failure('in_use', { detail, members: { documents } });
}
