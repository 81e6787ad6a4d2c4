import { crm } from './crm/domain.ts';
import { invoicing } from './invoicing/domain.ts';
import { mail } from './mail/domain.ts';
import type { Domain } from './platform/domain.ts';
import type { Reference } from './platform/references.ts';
import { received } from './received/domain.ts';

/** Every domain, once, in the order of the reference. What is built on all of them walks over this list. */
export const domains: readonly Domain[] = [crm, mail, invoicing, received];

/** Every column that refers to companies or contacts, in the order in which operations lock the rows. */
export const references: readonly Reference[] = domains.flatMap((each) => each.references ?? []);
