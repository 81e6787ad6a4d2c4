import { z } from 'zod';
import { factsOf } from '../../../kernel/fact.ts';
import { OpeningMonth } from '../record.ts';

/** Averages and years look back less far; so many months may be taken over. */
const MOST_MONTHS = 120;

export const OpeningMonths = z
  .strictObject({ items: z.array(OpeningMonth).max(MOST_MONTHS) })
  .meta({ id: 'AttendanceOpeningMonths' });

export const openingFacts = factsOf({ domain: 'attendance', entity_type: 'opening_months' });
