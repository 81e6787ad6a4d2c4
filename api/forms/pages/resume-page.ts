import { html } from 'ghtml';
import { claimableFiles, fileIdsIn } from '../../../shared/forms/files/claim.ts';
import { acceptingOf } from '../../../shared/forms/forms/accepting.ts';
import { formWithVersion } from '../../../shared/forms/forms/queries.ts';
import { partialLinks } from '../../../shared/forms/partials/link.ts';
import { partialRow } from '../../../shared/forms/partials/queries.ts';
import { issueFormToken } from '../../../shared/forms/tokens/issue.ts';
import { signedFormToken } from '../../../shared/forms/tokens/open.ts';
import { todayIn } from '../../../shared/kernel/days.ts';
import { languageFor } from '../../pages/kit/language-for.ts';
import type { Go, LinkedPage, LinkedVisit, View } from '../../pages/kit/page.ts';
import { closed } from './closed-view.ts';
import { type Filled, firstStep, showStep, titleOf } from './fill.ts';
import { stepStoppedAt } from './flow.ts';
import { framed } from './frame.ts';
import { tellingOfInvitations } from './invited.ts';
import { filledOf, fittingAnswers, type Opened } from './opened.ts';
import { ridingSeen } from './pages-seen.ts';
import { ridingLink } from './save-by-form.ts';
import { hiddenOf, knownIn } from './sent.ts';
import { compiledOf, siteOf, timeIn } from './site.ts';
import { words } from './words.ts';

/** Where somebody goes on with a form that they saved; with `saved` the link to it is told. The form is sent to its own page. */
export const resumePage: LinkedPage = {
  path: '/f/s/:token',
  opened_by: {
    purpose: partialLinks,
    for_guests: true,
    advice: { ja: words.ja.saved.ended, en: words.en.saved.ended },
  },
  hears: ['Accept-Language'],
  show,
};

type Resumed = Awaited<ReturnType<typeof read>>;

/** What was saved, and the form in its present version with a token that continues the nonce of before. */
function read({ steps, opened }: LinkedVisit) {
  return steps.read(async (reader) => {
    const inside = { ...reader, organization_id: opened.organization_id };
    const partial = await partialRow(inside, opened.record_id);
    const { form_id, nonce_hash, data } = partial;
    const answered = await formWithVersion(inside, form_id, null);
    const accepting = acceptingOf(answered.form, answered.settings, answered.counts, inside.now);
    const continues = await signedFormToken(inside, partial.form_token);
    const issued = accepting.open
      ? await issueFormToken(inside, answered, { invitation: null, continues })
      : { issued: null, invitation: null };
    const files = await claimableFiles(inside, { form_id, nonce_hash }, fileIdsIn(data));
    const page: Opened = {
      site: await siteOf(inside),
      answered,
      compiled: compiledOf(answered),
      accepting,
      ...issued,
    };
    return { partial, page, files };
  });
}

function show(visit: LinkedVisit): Promise<View | Go> {
  return tellingOfInvitations(visit, () => resumed(visit));
}

async function resumed(visit: LinkedVisit): Promise<View> {
  const found = await read(visit);
  const { issued } = found.page;
  if (issued === null) return closed(visit, found.page);
  if (visit.query('saved') !== '') return savedView(visit, found);
  return goingOn(visit, found, filledOf(visit, found.page, issued, found.files));
}

/** The step where it stopped; of another version than the present one, the first step with the answers that still fit. */
function goingOn(visit: LinkedVisit, { partial, page, files }: Resumed, filled: Filled): View {
  const { compiled, answered } = page;
  const { schema } = compiled;
  const isOutdated = partial.form_version !== answered.version!.number;
  const known = knownIn(partial.data, schema);
  const today = todayIn(answered.settings.time_zone, visit.steps.caller.now);
  const answers = isOutdated ? fittingAnswers(compiled, known, { today, files }) : known;
  const riding = { answers, hidden: hiddenOf(partial.hidden, schema) };
  const judged = filled.judge(riding);
  const step = isOutdated ? firstStep(filled, riding) : stepStoppedAt(schema.pages, judged, answers);
  const seen = new Set(judged.path.slice(0, judged.path.indexOf(step.page_id) + 1));
  const sent = { ...filled.sent, ...ridingSeen(seen), ...ridingLink(visit.param) };
  const told = isOutdated ? { told: words[filled.language].saved.outdated } : {};
  return showStep({ ...filled, sent }, { ...riding, step, files: [...files.values()], ...told });
}

/** The link to what was saved, and until when it opens that. */
function savedView(visit: LinkedVisit, { partial, page }: Resumed): View {
  const { site, answered, compiled } = page;
  const { settings, version } = answered;
  const language = languageFor(visit, compiled.schema.locale);
  const say = words[language].saved;
  const path = visit.link(visit.path);
  const url = visit.steps.context.settings.baseUrl + path;
  const form = titleOf(compiled.schema, version!.title, language);
  const body = html`<div class="questions">
<p class="quiet">${form}</p>
<h1>${say.title}</h1>
<p>${say.open_until(timeIn(settings.time_zone, partial.expires_at, language))}</p>
<p class="link"><a href="${path}">${url}</a></p>
<p>${say.not_sent}</p>
<p class="quiet">${say.keep}</p>
<p><a href="${path}">${say.go_on}</a></p>
</div>`;
  const look = { ...site, embed_origins: settings.embed_origins, schema: null };
  return framed(look, { title: `${say.title} – ${form}`, body, language, kept: { saved: '1' } });
}
