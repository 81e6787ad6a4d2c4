import { verifyBooksJob } from '../../shared/accounting/verify/jobs.ts';
import { type Handled, handles } from '../kernel/handler.ts';
import { verifyBooks } from './verify-books.ts';

/** The jobs of accounting. */
export function accountingHandlers({ database_url }: { database_url: string }): Handled[] {
  return [handles(verifyBooksJob, verifyBooks({ database_url }))];
}
