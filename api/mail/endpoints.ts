import type { Endpoint } from '../http/endpoint.ts';
import { mailContacts } from './contacts.ts';
import { mailImports } from './imports.ts';
import { mailLists } from './lists.ts';
import { optIns } from './opt-ins.ts';
import { suppressions } from './suppressions.ts';

/** The endpoints of mail, in the order of the reference. */
export const mail: readonly Endpoint[] = [
  ...mailContacts,
  ...mailImports,
  ...mailLists,
  ...optIns,
  ...suppressions,
];
