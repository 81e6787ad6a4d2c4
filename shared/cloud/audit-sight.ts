import type { AuditSight } from '../platform/audit/queries.ts';
import { deniedFolders } from './tree/sight.ts';

/** The folder or file that an entry is about. */
const ITEM = `CASE audit_logs.entity_type
  WHEN 'version' THEN (SELECT file_id FROM cloud_versions AS version
    WHERE version.organization_id = audit_logs.organization_id AND version.id = audit_logs.entity_id)
  WHEN 'share' THEN (SELECT item_id FROM cloud_shares AS share
    WHERE share.organization_id = audit_logs.organization_id AND share.id = audit_logs.entity_id)
  ELSE audit_logs.entity_id END`;

/**
 * What the change history tells somebody to whom folders are closed: of the settings, and of items that are there and seen.
 * Where something was that is gone for good nobody can say, so its entries are for those who see everything.
 */
export const cloudAuditSight: AuditSight = async (reader) => {
  const denied = await deniedFolders(reader);
  if (denied.length === 0) return null;
  const text = `(audit_logs.entity_type = 'settings' OR EXISTS (
    SELECT FROM cloud_items AS item
     WHERE item.organization_id = audit_logs.organization_id AND item.id = ${ITEM}
       AND (CASE item.kind WHEN 'folder' THEN item.id ELSE coalesce(item.parent_id, '') END) <> ALL (?::text[])))`;
  return { text, values: [denied] };
};
