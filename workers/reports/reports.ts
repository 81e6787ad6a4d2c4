import { domains } from '../../shared/domains.ts';
import type { Report } from '../../shared/platform/reports/report.ts';

const all: readonly Report[] = domains.flatMap(({ reports = [] }) => reports);

/** Every report that can be made into a file, by its name. */
export const reports: ReadonlyMap<string, Report> = new Map(all.map((each) => [each.name, each]));
