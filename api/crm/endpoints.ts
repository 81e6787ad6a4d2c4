import type { Endpoint } from '../http/endpoint.ts';
import { activities } from './activities.ts';
import { board } from './board.ts';
import { companies } from './companies.ts';
import { contacts } from './contacts.ts';
import { customFields } from './custom-fields.ts';
import { deals } from './deals.ts';
import { imports } from './imports.ts';
import { merges } from './merge.ts';
import { pipelines } from './pipelines.ts';
import { search } from './search.ts';
import { tagAssignments } from './tag-assignments.ts';
import { tags } from './tags.ts';
import { timeline } from './timeline.ts';

/** The endpoints of the CRM, in the order of the reference. */
export const crm: readonly Endpoint[] = [
  ...companies,
  ...contacts,
  ...pipelines,
  ...board,
  ...deals,
  ...activities,
  ...timeline,
  ...tags,
  ...tagAssignments,
  ...customFields,
  ...merges,
  ...search,
  ...imports,
];
