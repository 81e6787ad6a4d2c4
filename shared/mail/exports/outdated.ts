import type { Work } from '../../kernel/work.ts';
import { outdateExports } from '../../platform/exports/outdated.ts';

/**
 * Takes away the files that may show a contact who is about to be erased, and has those begin anew that may have read it. An address is
 * suppressed, or was once, whether it is a contact's or not. To be called once the recipients are locked and before they forget the
 * contact. Locks: as `outdateExports`.
 */
export async function outdateExportsOf(work: Work, contact_id: string): Promise<void> {
  const rows = await work.connection.query<{ campaign_id: string }>(
    'SELECT campaign_id FROM mail_campaign_recipients WHERE organization_id = $1 AND contact_id = $2',
    [work.organization_id, contact_id],
  );
  const ids = rows.map(({ campaign_id }) => campaign_id);
  await outdateExports(work, [
    { exporter: 'mail.contacts' },
    { exporter: 'mail.recipients', records: { member: 'campaign_id', ids } },
    { exporter: 'mail.suppressions' },
  ]);
}
