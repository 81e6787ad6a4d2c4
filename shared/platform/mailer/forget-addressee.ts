import type { Work } from '../../kernel/work.ts';
import type { Purpose } from './purpose.ts';

/**
 * Takes an address out of the mails of a purpose that name it as `to`, with what servers wrote of them: their purpose finds null, and
 * one that waits is pointless then. `email_key`: in lower case.
 */
export function forgetAddressee(work: Work, { name }: Pick<Purpose, 'name'>, email_key: string): void {
  work.run(
    `UPDATE mails SET about = about || '{"to": null}', error = NULL, updated_at = greatest($4::timestamptz, updated_at)
      WHERE organization_id = $1 AND purpose = $2 AND lower(about ->> 'to') = $3 AND about ->> 'to' IS NOT NULL`,
    [work.organization_id, name, email_key, work.now.toISOString()],
  );
}
