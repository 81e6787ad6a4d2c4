import type { Work } from '../../kernel/work.ts';
import type { Submitted } from '../responses/submitted.ts';

/** Asks for the confirmation of an opt-in where the response gives its consent to the mailing list of the form. */
export async function askOptIn(_work: Work, _submitted: Submitted): Promise<void> {}
