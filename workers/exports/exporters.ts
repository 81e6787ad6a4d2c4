import { domains } from '../../shared/domains.ts';
import { auditExport } from '../../shared/platform/audit/export.ts';
import type { Exporter } from '../../shared/platform/exports/exporter.ts';

const all: readonly Exporter[] = [
  ...domains.flatMap(({ name, exports = [], audit_log }) => [...exports, auditExport(name, audit_log.sight)]),
  auditExport('platform'),
];

/** Every list that can be exported, by its name. */
export const exporters: ReadonlyMap<string, Exporter> = new Map(all.map((each) => [each.name, each]));
