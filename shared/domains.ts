import { crm } from './crm/domain.ts';
import { invoicing } from './invoicing/domain.ts';
import { mail } from './mail/domain.ts';
import type { Domain } from './platform/domain.ts';
import { received } from './received/domain.ts';

/** Every domain, once, in the order of the reference. What is built on all of them walks over this list. */
export const domains: readonly Domain[] = [crm, mail, invoicing, received];
