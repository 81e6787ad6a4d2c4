/** How a work is opened. */
export type WorkOptions = {
  /** The revisions that the caller last saw (If-Match); null where any will do. */
  revisions?: readonly string[] | null;
  /** Whether the work may end without a fact: it is not a request. */
  may_change_nothing?: boolean;
};
