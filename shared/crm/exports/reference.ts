import { type ExportColumn, joined } from '../../platform/exports/exporter.ts';
import type { TaggedKind } from '../tags/queries.ts';

/** SQL for a column of the record that a row of `table` refers to by `key`. */
export function ofReferred(table: string, key: string, referred: string, name: string): string {
  return `(SELECT referred.${name} FROM ${referred} AS referred
    WHERE referred.organization_id = "${table}".organization_id AND referred.id = "${table}".${key})`;
}

/** The member in charge as people and the import know them. */
export function ownerEmail(table: string): ExportColumn {
  const sql = `(SELECT users.email FROM users WHERE users.id = "${table}".owner_id)`;
  return { name: 'owner_email', header: 'owner_email', kind: 'text', sql };
}

/** The names of a record's tags in one cell. */
export function tagNames(table: string, kind: TaggedKind): ExportColumn {
  const sql = joined(
    'tag.name',
    'tag.name, tag.id',
    `crm_tag_assignments AS assignment
       JOIN crm_tags AS tag ON tag.organization_id = assignment.organization_id AND tag.id = assignment.tag_id
      WHERE assignment.organization_id = "${table}".organization_id AND assignment.${kind}_id = "${table}".id`,
  );
  return { name: 'tags', header: 'tags', kind: 'text', sql };
}
