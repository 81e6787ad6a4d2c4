import type { Work } from '../../kernel/work.ts';
import type { Submitted } from '../responses/submitted.ts';

/** Puts the notice and the receipt of a response into the outbox, each once, where its form says so. */
export async function mailsOfResponse(_work: Work, _submitted: Submitted): Promise<void> {}
