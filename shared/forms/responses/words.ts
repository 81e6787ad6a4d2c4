/** The words that responses are told by. */

export const responseSources = ['page', 'public', 'api'] as const;

export type ResponseSource = (typeof responseSources)[number];

export const responseStatuses = ['open', 'in_progress', 'done'] as const;

export type ResponseStatus = (typeof responseStatuses)[number];

/** What became of a response in the CRM. */
export const crmStatuses = ['none', 'created', 'linked', 'updated', 'failed'] as const;

export type CrmStatus = (typeof crmStatuses)[number];
