/**
 * The forms that texts of some types have, as regular expressions of ECMAScript: answers are read by them, and the JSON Schema
 * of a form shows them. None takes more than linear time.
 */

const DAY =
  '(?:(?!0000)\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))' +
  '|(?!0000)(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)';
const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** A day of the calendar, of the years 0001 to 9999. */
export const DATE = new RegExp(`^${DAY}$`);
/** A time of a day. */
export const TIME = new RegExp(`^${CLOCK}$`);
/** Both, without a zone. */
export const DATE_TIME = new RegExp(`^${DAY}T${CLOCK}$`);

/** 6 to 15 digits with `+ - ( )` and spaces. */
export const PHONE = /^[-+() ]*(?:[0-9][-+() ]*){6,15}$/;
/** An address of the Web: a host, perhaps a port, and what follows. */
export const WEB_ADDRESS =
  /^[hH][tT][tT][pP][sS]?:\/\/(?:[^\s/?#:@[\]\\<>"^`{|}%]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:[/?#]\S*)?$/;
/** Other dashes than that of ASCII, as keyboards write them between digits: that for long vowels stands on the same key in Japan. */
export const OTHER_DASHES = /[\u2010-\u2015\u2212\u30fc]/g;
/** A postal code of Japan. */
export const POSTAL_CODE = /^\d{3}-\d{4}$/;
