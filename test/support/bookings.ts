import { EVERY_ORGANIZATION } from '../../shared/db/database.ts';
import type { TestApp } from './app.ts';
import type { Reply } from './client.ts';
import { type Desk, newDesk } from './scheduler.ts';

/** What a guest sends: a start, and what is not as usual; `key` is an Idempotency-Key, `email` the guest's. */
export type Wish = { start: string; email?: string; key?: string } & Record<string, unknown>;

/** A desk with one event type, and guests who book it on its page. */
export type Guests = {
  desk: Desk;
  event_type: Reply['body'];
  slug: string;
  org_slug: string;
  book(wish: Wish): Promise<Reply>;
};

let guests = 0;

/** An event type of half an hour, every day from 9 to 18 in Tokyo, with those fields; each guest has an address of their own. */
export async function newGuests(app: TestApp, fields: object = {}): Promise<Guests> {
  const desk = await newDesk(app);
  await desk.availability();
  const event_type = await desk.eventType(fields);
  const org_slug = await slugOf(app, desk.organization_id);
  return {
    desk,
    event_type,
    slug: event_type.slug,
    org_slug,
    book: ({ email = `guest${++guests}@example.com`, key, ...wish }) =>
      app.anonymous.send(
        'post',
        `/scheduler/p/${org_slug}/${event_type.slug}/book`,
        { guest: { name: '佐藤 花子', email }, ...wish },
        key === undefined ? {} : { 'Idempotency-Key': key },
      ),
  };
}

async function slugOf(app: TestApp, organization_id: string): Promise<string> {
  const [found] = await app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [organization_id]),
  );
  return found!.slug;
}

/** Pairs of rows of one host that overlap, whatever wrote them: none may. */
export function overlaps(app: TestApp, organization_id: string): Promise<unknown[]> {
  return app.database.withConnection(EVERY_ORGANIZATION, ({ query }) =>
    query(
      `SELECT one.record_id, other.record_id AS other_id FROM scheduler_occupancies AS one
         JOIN scheduler_occupancies AS other ON other.organization_id = one.organization_id
          AND other.user_id = one.user_id AND (other.record_id, other.position) > (one.record_id, one.position)
          AND other."start" < one."end" AND other."end" > one."start"
        WHERE one.organization_id = $1`,
      [organization_id],
    ),
  );
}
