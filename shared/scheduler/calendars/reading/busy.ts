import type ICAL from 'ical.js';

/** Outlook's word for how a time is spent; these two leave one free. */
const FREE = new Set(['FREE', 'WORKINGELSEWHERE']);

/** Whether an event occupies its owner: not one that is cancelled, transparent, declined, or only says where work is done. */
export function isBusy(event: ICAL.Component, owner_addresses: readonly string[]): boolean {
  if (wordOf(event, 'status') === 'CANCELLED' || wordOf(event, 'transp') === 'TRANSPARENT') return false;
  if (FREE.has(wordOf(event, 'x-microsoft-cdo-busystatus'))) return false;
  return !event.getAllProperties('attendee').some((attendee) => {
    const address = String(attendee.getFirstValue()).replace(/^mailto:/i, '');
    const answer = attendee.getFirstParameter('partstat');
    return answer?.toUpperCase() === 'DECLINED' && owner_addresses.includes(address.toLowerCase());
  });
}

function wordOf(event: ICAL.Component, property: string): string {
  return String(event.getFirstPropertyValue(property) ?? '').toUpperCase();
}
