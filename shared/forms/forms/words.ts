/** The words that forms are told by. */

export const formStatuses = ['draft', 'published', 'archived'] as const;

export type FormStatus = (typeof formStatuses)[number];

/** What staff can do to a form: the last words of the paths, and `update` and `delete`. */
export const formActions = ['update', 'publish', 'unpublish', 'archive', 'duplicate', 'delete'] as const;

export type FormAction = (typeof formActions)[number];

/** Why a form takes no response. */
export const notAcceptingReasons = ['draft', 'not_open', 'closed', 'full'] as const;

export type NotAcceptingReason = (typeof notAcceptingReasons)[number];
