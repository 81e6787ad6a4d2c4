/** Small drawings beside words that say the same: nobody has to understand them. */
const drawing = (paths: string) =>
  `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${paths}</svg>`;

export const icons = {
  clock: drawing('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>'),
  place: drawing(
    '<path d="M12 21s7-6.5 7-11.5a7 7 0 0 0-14 0C5 14.5 12 21 12 21z"/><circle cx="12" cy="9.5" r="2.5"/>',
  ),
  person: drawing('<circle cx="12" cy="8" r="4"/><path d="M4 21c1-5 4-7 8-7s7 2 8 7"/>'),
  globe: drawing(
    '<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3z"/>',
  ),
  day: drawing('<rect x="4" y="5" width="16" height="16" rx="2"/><path d="M4 10h16M8 3v4M16 3v4"/>'),
  done: drawing('<circle cx="12" cy="12" r="9"/><path d="M8 12.5l3 3 5-6"/>'),
  waiting: drawing('<circle cx="12" cy="12" r="9"/><path d="M12 8v5M12 16.5v.01"/>'),
  ended: drawing('<circle cx="12" cy="12" r="9"/><path d="M9 9l6 6M15 9l-6 6"/>'),
} as const;
