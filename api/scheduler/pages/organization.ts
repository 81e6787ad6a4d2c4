import { publicEventTypes } from '../../../shared/scheduler/public/queries.ts';
import type { PlainPage, View, Visit } from '../../pages/kit/page.ts';
import { formatsOf } from './format.ts';
import { framed } from './frame.ts';
import { listed } from './listed.ts';
import { siteOf } from './read.ts';

/** What guests can book with an organization. */
export const organizationPage: PlainPage = {
  path: '/p/:orgSlug',
  of_organization: true,
  is_indexed: true,
  show,
};

async function show(visit: Visit): Promise<View> {
  const { language } = visit;
  const { site, types } = await visit.steps.read(async (reader) => ({
    site: await siteOf(reader),
    types: (await publicEventTypes(reader, visit.steps.context.settings.baseUrl, {})).event_types,
  }));
  const { organization, settings } = site;
  const formats = formatsOf(language, settings.time_zone, settings.time_format);
  const body = listed({ visit, language, formats, organization, types });
  return framed(site, { title: organization.name, body });
}
