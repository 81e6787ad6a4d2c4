import { Model } from 'objection';
import getRawBody from 'raw-body';
import { newId } from '../../../shared/kernel/id.ts';
import { router, serve } from './bare-server.ts';

/**
 * A punch as one writes it in an afternoon: Koa and Objection, one query that looks the key up, and the row of the punch. No
 * state, no session, no figures, no event, no audit entry.
 */
class Punch extends Model {
  static override tableName = 'attendance_punches';
  static override idColumn = ['organization_id', 'id'];
}

router.post('/api/v1/attendance/punches', async (context) => {
  const { type, member_id } = JSON.parse(await getRawBody(context.req, { encoding: 'utf8' }));
  const now = new Date();
  const at = now.toISOString();
  const row = {
    organization_id: context.state['organization_id'],
    id: newId('punch', now),
    member_id,
    session_id: 'asess_none',
    type,
    occurred_at: at,
    original_occurred_at: at,
    work_date: at.slice(0, 10),
    source: 'api',
    created_by: context.state['created_by'],
    created_at: at,
  };
  await Punch.query().insert(row as object);
  context.status = 201;
  context.body = { punch: row };
});

serve();
