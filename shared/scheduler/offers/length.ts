import { type FieldError, invalidAll } from '../../kernel/failure.ts';
import type { EventType } from '../event-types/record.ts';

/** The length that is asked for, which must be one that the type offers. Errors: `validation_failed` at `duration_minutes`. */
export function lengthOf(
  { duration_minutes, duration_options }: EventType,
  asked = duration_minutes,
): number {
  if (asked === duration_minutes || duration_options.includes(asked)) return asked;
  const fault: FieldError = {
    in: 'query',
    path: 'duration_minutes',
    code: 'not_offered',
    message: {
      en: 'duration_minutes must be a length that the event type offers',
      ja: 'duration_minutes には、このイベントタイプで選べる所要時間を指定してください',
    },
  };
  throw invalidAll([fault]);
}
