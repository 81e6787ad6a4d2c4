import { randomBytes } from 'node:crypto';
import { html } from 'ghtml';
import type { Language } from '../../../shared/kernel/language.ts';
import type { Reader } from '../../../shared/kernel/reader.ts';
import { readSlots } from '../../../shared/scheduler/offers/offered.ts';
import type { Form, Go, PlainPage, Refused, View, Visit } from '../../pages/kit/page.ts';
import { about } from './about.ts';
import { type Asked, askedIn, askedOf, kept as keptTexts } from './address.ts';
import { bookByForm, FORM_KEY } from './book-by-form.ts';
import { details } from './details.ts';
import { type Formats, formatsOf } from './format.ts';
import { framed } from './frame.ts';
import { picker } from './picker.ts';
import { isAboutStart, type TypePage, typePageOf } from './read.ts';
import { choiceOf, type Days, daysOf, firstMonth, rangeOf, slotsOf } from './times.ts';
import { words } from './words.ts';

/** As large as the longest answers in Japanese are, as forms write them. */
const FORM_BYTES = 1024 * 1024;

/** Free times that are offered in the place of one that is gone. */
const OTHERS = 12;

/** Where guests book: a month, the times of a day, then who they are. */
export const eventTypePage: PlainPage = {
  path: '/p/:orgSlug/:eventTypeSlug',
  of_organization: true,
  is_indexed: true,
  form_bytes: FORM_BYTES,
  show,
  submit,
};

type Opened = TypePage & { days: Days; first: string; time_zone: string; duration_minutes: number };

async function show(visit: Visit, refused?: Refused): Promise<View> {
  const asked = refused ? askedIn(refused.form) : askedOf(visit);
  const opened = await visit.steps.read((reader) => openedOf(reader, visit, asked));
  const { type, settings, shown, duration_minutes } = opened;
  const language = visit.asked_language ?? type.locale ?? visit.language;
  const formats = formatsOf(language, opened.time_zone, settings.time_format);
  const kept = {
    time_zone: asked.time_zone,
    duration_minutes: duration_minutes === type.duration_minutes ? null : duration_minutes,
  };
  const showing = { visit: { ...visit, language }, language, formats, kept, asked, opened, refused };
  const head = about({
    ...showing,
    type: shown,
    duration_minutes,
    cancel_policy: settings.cancel_policy,
  });
  const body = html`<div class="booking">!${head}!${step(showing)}</div>`;
  const seen = { ...kept, month: asked.month, date: asked.date, start: asked.start };
  const view = { title: type.title, body, language, kept: keptTexts(seen) };
  return framed(opened, view, asked.time_zone === null && !refused);
}

/** Reads what the page shows: two months of free times, from the one that is asked for. */
async function openedOf(reader: Reader, { params }: Visit, asked: Asked): Promise<Opened> {
  const page = await typePageOf(reader, params['eventTypeSlug']!);
  const { type, settings } = page;
  const offered = [type.duration_minutes, ...type.duration_options];
  const duration_minutes =
    offered.find((length) => length === asked.duration_minutes) ?? type.duration_minutes;
  const here = asked.time_zone ?? type.time_zone ?? settings.time_zone;
  const { date } = formatsOf('en', here, settings.time_format);
  const at = asked.start === null ? asked.date : date(asked.start);
  const first = firstMonth({ date: at, month: asked.month }, date(reader.now.getTime()));
  const slots = await readSlots(reader, type, {
    ...rangeOf(first),
    duration_minutes,
    time_zone: asked.time_zone ?? undefined,
  });
  const { slots: times, time_zone } = await slots();
  const days = daysOf(slotsOf(times), formatsOf('en', time_zone, settings.time_format));
  return { ...page, days, first, time_zone, duration_minutes };
}

type Showing = {
  visit: Visit;
  language: Language;
  formats: Formats;
  kept: Partial<Asked>;
  asked: Asked;
  opened: Opened;
  refused: Refused | undefined;
};

/** The form where a start is chosen, else what to choose one from. */
function step(showing: Showing): string {
  const { visit, language, formats, kept, asked, opened, refused } = showing;
  const { type, shown, settings, days, first, duration_minutes } = opened;
  const { start } = asked;
  const isGone = refused !== undefined && isAboutStart(refused.failure);
  const others = isGone ? othersOf(days, start ?? visit.steps.caller.now.getTime(), formats) : null;
  const isFree = start !== null && [...days.values()].flat().some((slot) => slot.start === start);
  if (others?.length || (start !== null && (refused !== undefined ? !isGone : isFree))) {
    const given = refused?.form.get('form_key') ?? '';
    const form_key = FORM_KEY.test(given) ? given : randomBytes(16).toString('hex');
    const { questions, max_additional_guests } = type;
    const whole = { ...shown, questions, max_additional_guests };
    return details({
      visit,
      language,
      formats,
      kept,
      duration_minutes,
      refused,
      others,
      form_key,
      type: whole,
      start: start ?? 0,
    });
  }
  const at = start === null ? asked.date : formats.date(start);
  const alert =
    start === null ? '' : html`<p class="alert" role="alert">${words[language].refused['slot_taken']!}</p>`;
  const today = formats.date(visit.steps.caller.now.getTime());
  const choice = choiceOf({ date: at, month: asked.month }, first, days);
  const { week_starts_on } = settings;
  const has_seats = type.seats_per_slot > 1;
  return `${alert}${picker({ visit, language, formats, kept, week_starts_on, today, days, choice, has_seats })}`;
}

/** The first free times from the day of a start on, without it: a calendar that was asked may know more than our rows. */
function othersOf(days: Days, gone: number, { date }: Formats) {
  const dates = [...days.keys()].filter((each) => each >= date(gone)).toSorted();
  const times = dates.flatMap((each) => days.get(each)!);
  return times.filter(({ start }) => start !== gone).slice(0, OTHERS);
}

async function submit(visit: Visit, form: Form): Promise<Go> {
  return { to: await bookByForm(visit, form) };
}
