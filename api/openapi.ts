import { endpoints } from './endpoints.ts';
import { healthPaths } from './health-paths.ts';
import { type OpenApi, openApiDocument } from './http/openapi/document.ts';
import { versions } from './versions.ts';

const DESCRIPTION = `Every record belongs to an organization; a credential acts in one. The guides under
[/docs](/docs) say how the parts work together:
[getting started](/docs/guides/getting-started),
[authentication and scopes](/docs/guides/authentication),
[pagination](/docs/guides/pagination),
[idempotency and safe retries](/docs/guides/idempotency),
[your own IDs](/docs/guides/own-ids),
[conditional requests](/docs/guides/conditional-requests),
[errors](/docs/guides/errors),
[events](/docs/guides/events),
[long work and files](/docs/guides/long-work),
[exports](/docs/guides/exports),
[imports of customers](/docs/guides/import-crm),
[mail contacts](/docs/guides/mail-contacts) and [their imports](/docs/guides/import-mail),
[a mail campaign](/docs/guides/campaigns), [what can be done to a campaign](/docs/guides/campaign-transitions),
[how a day is classified](/docs/guides/how-a-day-is-classified), [leave](/docs/guides/leave), [closing a month](/docs/guides/closing-a-month), [imports of days](/docs/guides/import-attendance),
[a booking page in five minutes](/docs/guides/booking-page), [what can be done to a booking](/docs/guides/booking-transitions), [calendars](/docs/guides/calendars),
[from quotation to payment](/docs/guides/quotation-to-payment), [closing a month of sales](/docs/guides/closing-a-month-of-sales),
[what can be done to a document](/docs/guides/document-transitions),
[consumption tax](/docs/guides/consumption-tax),
[from a supplier's invoice to the payment](/docs/guides/received), [what can be done to a received document](/docs/guides/received-transitions),
[books in ten minutes](/docs/guides/books-in-ten-minutes), [imports of entries](/docs/guides/import-journals), [closing a year](/docs/guides/closing-a-year) and [evidence](/docs/guides/evidence),
[files and folders](/docs/guides/files-and-folders),
[a contract in three minutes](/docs/guides/signing), [what can be done to a document for signing](/docs/guides/sign-transitions), [verifying signed documents](/docs/guides/verifying-signed-documents),
[a form in five minutes](/docs/guides/forms), [what can be done to a form](/docs/guides/form-transitions),
[versions](/docs/guides/versions) and
[rate limits](/docs/guides/rate-limits).

New fields, new values of enumerations and new optional parameters may come within a version: clients must tolerate
what they do not know.`;

let text: OpenApi | undefined;

/** The OpenAPI text of this service, derived when it is first asked for. */
export function openApi(): OpenApi {
  text ??= openApiDocument({
    endpoints,
    extraPaths: [...healthPaths],
    version: versions[0]!.version,
    description: DESCRIPTION,
  });
  return text;
}

/** The content of docs/openapi.json: the same text, laid out so that a change can be read in a diff. */
export function openApiFile(): string {
  return `${JSON.stringify(openApi(), null, 2)}\n`;
}
