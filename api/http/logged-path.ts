/** Characters of a path that stand in the log. */
const LONGEST = 200;

/** The pages whose path ends with a token, and any part that is long enough to be a token or a key. */
const AFTER_PAGE = /^(\/(?:invite|reset-password|s|verify-email)\/).+$/i;
const LONG_PART = /[^/]{40,}/g;

/** The path of a request to no endpoint of the API as the log may hold it: without its query and without tokens. */
export function loggedPath(path: string): string {
  return path.replace(AFTER_PAGE, '$1{hidden}').replace(LONG_PART, '{hidden}').slice(0, LONGEST);
}
