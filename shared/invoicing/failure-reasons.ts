import type { Sentence } from '../kernel/sentences.ts';

/** Why a job of invoicing failed; jobs keep the English. */
export const reasonsOfInvoicing = {
  not_issued: () => ({ en: 'The document was not issued', ja: '書類が発行されていません' }),
} satisfies Record<string, Sentence>;
