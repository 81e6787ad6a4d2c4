import type { Tallies, Tally } from '../../platform/tallies/tallies.ts';

/**
 * What somebody did with a form before a response of it is stored. `view`: the form was shown, by its page or the public API, while it
 * took responses. `start`: the first step of its page was sent, or a form token was asked for by the API. `reached`: the IDs of pages
 * that were shown to somebody who had started, or that a response by the API went through. Visits are counted and not people:
 * who opens a form twice is two views, and what credentials submit is none.
 */
export type Visited =
  | { view: true }
  | { start: true; reached?: readonly string[] }
  | { reached: readonly string[] };

/**
 * The form is locked before its rows, as by what removes it, and forms in the order of their IDs; what has been removed meanwhile is
 * left out. Its lock is one that submissions do not wait for.
 */
const visitsOfForms: Tally = {
  name: 'forms_visits',
  add: `
    INSERT INTO forms_visits AS visit (organization_id, form_id, page_id, views, starts, reached)
    SELECT form.organization_id, form.id, counted.page_id, coalesce(counted.views, 0), coalesce(counted.starts, 0),
        coalesce(counted.reached, 0)
      FROM jsonb_to_recordset($1::jsonb) AS counted
          (organization_id text, form_id text, page_id text, views bigint, starts bigint, reached bigint)
      JOIN forms_forms AS form ON form.organization_id = counted.organization_id AND form.id = counted.form_id
     ORDER BY form.organization_id, form.id, counted.page_id COLLATE "C"
       FOR KEY SHARE OF form
    ON CONFLICT (organization_id, form_id, page_id) DO UPDATE
       SET views = visit.views + excluded.views, starts = visit.starts + excluded.starts,
           reached = visit.reached + excluded.reached`,
};

/** Counts a visit; the summary tells of it within ten seconds. */
export function visited(
  tallies: Tallies,
  { organization_id, id: form_id }: { organization_id: string; id: string },
  what: Visited,
): void {
  const add = (page_id: string, counts: Record<string, number>) =>
    tallies.count(visitsOfForms, { organization_id, form_id, page_id }, counts);
  if ('view' in what) add('', { views: 1 });
  if ('start' in what) add('', { starts: 1 });
  for (const page_id of 'reached' in what ? new Set(what.reached) : []) add(page_id, { reached: 1 });
}
