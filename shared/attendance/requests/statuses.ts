/** The statuses of every kind of request. */
export const requestStatuses = ['pending', 'approved', 'rejected', 'cancelled'] as const;

export type RequestStatus = (typeof requestStatuses)[number];
