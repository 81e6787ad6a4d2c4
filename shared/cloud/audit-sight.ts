import type { AuditSight } from '../platform/audit/queries.ts';
import { deniedFolders } from './tree/sight.ts';

/** The folder or file that an entry is about. */
const ITEM = `CASE audit_logs.entity_type
  WHEN 'version' THEN (SELECT file_id FROM cloud_versions AS version
    WHERE version.organization_id = audit_logs.organization_id AND version.id = audit_logs.entity_id)
  WHEN 'share' THEN (SELECT item_id FROM cloud_shares AS share
    WHERE share.organization_id = audit_logs.organization_id AND share.id = audit_logs.entity_id)
  ELSE audit_logs.entity_id END`;

/** The folders that an entry names as the place before and after. */
const PLACES = ['parent_id', 'folder_id'].flatMap((field) =>
  [0, 1].map((at) => `coalesce(audit_logs.changes -> '${field}' ->> ${at}, '')`),
);

/**
 * What the change history tells somebody to whom folders are closed: of the settings, and of items that are there and seen.
 * An entry that names a folder which they do not see is left out, too. Where something was that is gone for good nobody can
 * say, so its entries are for those who see everything.
 */
export const cloudAuditSight: AuditSight = async (reader) => {
  const denied = await deniedFolders(reader);
  if (denied.length === 0) return null;
  const text = `(audit_logs.entity_type = 'settings' OR EXISTS (
    SELECT FROM cloud_items AS item
     WHERE item.organization_id = audit_logs.organization_id AND item.id = ${ITEM}
       AND (CASE item.kind WHEN 'folder' THEN item.id ELSE coalesce(item.parent_id, '') END) <> ALL (?::text[])))
    AND NOT ARRAY[${PLACES.join(', ')}] && ?::text[]`;
  return { text, values: [denied, denied] };
};
