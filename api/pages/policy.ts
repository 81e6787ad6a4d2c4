/** What a page may load and do, by the directives of Content-Security-Policy. */
export type PagePolicy = Record<string, string>;

/** Its own stylesheet and pictures, nothing else. */
const STRICT: PagePolicy = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The header of a page: the strict policy with what this page needs beyond it, such as `{ 'form-action': "'self'" }`. */
export function pagePolicy(needs: PagePolicy = {}): string {
  return Object.entries({ ...STRICT, ...needs })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
