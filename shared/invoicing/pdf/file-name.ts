import { fileStem } from '../../kernel/file-name.ts';
import type { Print } from '../print/model.ts';

/**
 * The name under which a document is saved: `請求書_INV-2026-0001_株式会社山田商店.pdf`. The `/` of a number such as
 * `2026/0001` becomes `-`.
 */
export function pdfFileName({
  title,
  number,
  recipient,
}: Pick<Print, 'title' | 'number' | 'recipient'>): string {
  const parts = [title, number?.replaceAll('/', '-') ?? null, recipient.name].filter(
    (part) => part !== null && part !== '',
  );
  return `${fileStem(parts.join('_'))}.pdf`;
}
