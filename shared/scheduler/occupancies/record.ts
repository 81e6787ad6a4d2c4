import { refusesBy } from '../../db/constraint.ts';
import { TenantModel } from '../../db/model.ts';
import { Failure } from '../../kernel/failure.ts';

/** What takes the time of a host: the record that a row belongs to. */
export type OccupancyKind = 'booking' | 'session' | 'hold' | 'proposal';

/**
 * The time that a record takes of one host. `start` and `end` are those of the event, without buffers; the database refuses
 * two of one host that overlap. `position` tells several spans of one record and host apart.
 */
export type OccupancyRow = {
  kind: OccupancyKind;
  record_id: string;
  position: number;
  user_id: string;
  event_type_id: string | null;
  start: string;
  end: string;
  buffer_before_minutes: number;
  buffer_after_minutes: number;
  /** When the host was assigned to the record: whose turn it is follows from that. */
  assigned_at: string;
  /** When it ends by itself, as that of a hold or a pending booking; null where it stays. */
  expires_at: string | null;
};

/** Its key is record, host and position: it has no ID. */
export class OccupancyModel extends TenantModel {
  static override tableName = 'scheduler_occupancies';
}

/** Somebody else took the time. `reason` is one of the reasons of slots. */
export function slotTaken(reason: 'busy' | 'buffer' | 'seats_full' = 'busy'): Failure {
  return new Failure('slot_taken', {
    errors: [
      {
        in: 'body',
        path: '/start',
        code: reason,
        message: { en: 'this time is not free any more', ja: 'この時間はすでに埋まっています' },
      },
    ],
  });
}

refusesBy('scheduler_occupancies_do_not_overlap', () => slotTaken());
