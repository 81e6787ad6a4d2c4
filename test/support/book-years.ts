/** From the year of the earliest document of any test to the one after this: what is done today is in them, whenever that is. */
export const BOOK_YEARS = Array.from({ length: new Date().getFullYear() + 2 - 2025 }, (_, nth) => 2025 + nth);
