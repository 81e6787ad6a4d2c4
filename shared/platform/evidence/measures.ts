import { type Measure, MOST_COUNTED } from '../operators/measure.ts';

/** The chain over the evidence of all domains. */
export const evidenceMeasures: readonly Measure[] = [
  {
    name: 'evidence_entries_unsealed',
    title: { en: 'Changes without their link in the chain', ja: '連鎖に記録されていない変更' },
    help: 'Changes of evidence that wait for their link in the chain of hashes, which takes a second',
    unit: 'count',
    age: { en: 'it was made', ja: '作成から' },
    // They are gone within a second, so those that are counted are all of them unless nothing seals.
    query: `SELECT count(*)::int AS value, min((
        SELECT entry.created_at FROM audit_logs AS entry
         WHERE entry.organization_id = waiting.organization_id AND entry.id = waiting.audit_log_id)) AS oldest_at
      FROM (SELECT organization_id, audit_log_id FROM evidence_unsealed LIMIT ${MOST_COUNTED}) AS waiting`,
  },
];
