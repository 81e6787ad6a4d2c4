import { fixedText } from './answer.ts';

/** Where the script is that picks the browser's time zone. */
export const ZONE_SCRIPT = '/pages/time-zone.js';

/**
 * Shows the times of a page in the zone of the browser, unless one was chosen: the page has a form for that, so it does without
 * this script.
 */
export const zoneScript = fixedText(
  'text/javascript',
  `'use strict';
const zones = document.querySelector('select[name="time_zone"]');
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const address = new URL(location.href);
if (zones && timeZone && zones.value !== timeZone && !address.searchParams.has('time_zone')) {
  address.searchParams.set('time_zone', timeZone);
  location.replace(address);
}
`,
);
