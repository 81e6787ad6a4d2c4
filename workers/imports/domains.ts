import { domains } from '../../shared/domains.ts';
import type { ImportDomain } from '../../shared/platform/imports/domain.ts';

/** Every kind of record that can be imported. */
export const importDomains: readonly ImportDomain[] = domains.flatMap(({ imports = [] }) => imports);
