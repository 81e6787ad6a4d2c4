import { Gauge, type Registry } from 'prom-client';
import type { Release } from '../../kernel/version.ts';

/** Tells which version and commit this process runs, by Prometheus' custom: a 1 with labels. */
export function buildInfo(registry: Registry, { version, commit }: Release): void {
  const gauge = new Gauge({
    name: 'build_info',
    help: 'The version and the commit that the process runs',
    labelNames: ['version', 'commit'],
    registers: [registry],
  });
  gauge.set({ version, commit: commit ?? 'unknown' }, 1);
}
