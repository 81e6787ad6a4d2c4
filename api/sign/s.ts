import { z } from 'zod';
import { id } from '../../shared/kernel/schema.ts';
import { Field } from '../../shared/sign/documents/record.ts';
import { openAccess } from '../../shared/sign/guests/access.ts';
import { askForCode } from '../../shared/sign/guests/codes.ts';
import { declineDocument } from '../../shared/sign/guests/decline.ts';
import { saveField } from '../../shared/sign/guests/fill.ts';
import { forwardDocument } from '../../shared/sign/guests/forward.ts';
import {
  AccessInput,
  DeclineInput,
  FieldValueChange,
  ForwardInput,
  SentCode,
  SignInput,
  Signing,
} from '../../shared/sign/guests/record.ts';
import { signingOf } from '../../shared/sign/guests/shown.ts';
import { signDocument } from '../../shared/sign/guests/sign.ts';
import { judgeValues } from '../../shared/sign/guests/values.ts';
import { signLinks } from '../../shared/sign/links/links.ts';
import { Answer } from '../http/declaration.ts';
import { read, stepwise, write } from '../http/endpoint.ts';
import { Deleted, deleted } from '../http/schemas.ts';
import { accessCookies } from './access-cookie.ts';
import { BODY_LIMITS } from './create-document.ts';
import { accessSteps, admits, guestOf, readBefore } from './guest.ts';
import { guestFiles } from './guest-files.ts';
import { ACTING, linkParams, OPENING, PATH, token } from './link-path.ts';

const ofLink = { scope: 'link', link: signLinks, params: linkParams } as const;

const Reply = z.strictObject({ signing: Signing });

/** What signers call by the link in their mails. */
export const s = [
  read({
    ...ofLink,
    id: 'sign.signing.get',
    method: 'get',
    path: PATH,
    summary: 'Read a document by its link',
    description:
      'It changes nothing. With the cookie of `access` it also tells message, file, fields, the hash of the values that are shown, and the text of the consent. The link reads for `link_days` of the settings after the end.',
    reply: Reply,
    handle: async (input, reader) => ({ signing: await signingOf(reader, guestOf(input)) }),
  }),
  write({
    ...ofLink,
    id: 'sign.signing.otp',
    method: 'post',
    path: `${PATH}/otp`,
    summary: 'Ask for a code by mail',
    description:
      'Six digits that work for 10 minutes from when they are sent; the code before is dead. One in 30 seconds, five an hour.',
    admits: admits('open'),
    reply: z.strictObject({ otp: SentCode }),
    raises: [...OPENING, 'no_code_needed'],
    handle: async (input, work) => ({ otp: await askForCode(work, guestOf(input)) }),
  }),
  stepwise({
    ...ofLink,
    id: 'sign.signing.access',
    method: 'post',
    path: `${PATH}/access`,
    summary: 'Open a document',
    description:
      'By the codes that `auth` asks for; `{}` where it asks for none. It answers two cookies of 2 hours, one for the page and one for these calls. The fifth wrong code in a row locks for 15 minutes, the right code too; the fifteenth until the sender unlocks. A signer opens it 20 times in 2 hours at most.',
    admits: admits('open'),
    body: AccessInput,
    reply: Reply,
    raises: [...OPENING, 'wrong_code'],
    handle: async ({ body, params, ...came }, steps) => {
      const guest = guestOf({ ...came, user_agent: came.client.user_agent });
      const access_token = await openAccess(accessSteps(steps), guest, body);
      const signing = await steps.read((reader) => signingOf(reader, { ...guest, access_token }));
      const cookies = accessCookies(params.token, access_token, came.base_url);
      return new Answer(200, { signing }, { 'Set-Cookie': cookies });
    },
  }),
  ...guestFiles,
  write({
    ...ofLink,
    id: 'sign.signing.fields',
    method: 'put',
    path: `${PATH}/fields/:field_id`,
    summary: 'Save the value of a field',
    description:
      'It is kept for signing, and shown to others from then on. null clears it. What does not fit into its box at 5 points, or has a character without a glyph, is refused here: nothing is cut when the document is sealed.',
    params: z.strictObject({ token, field_id: id('sfld') }),
    admits: admits('act'),
    body: FieldValueChange,
    body_limits: BODY_LIMITS,
    reply: z.strictObject({ field: Field }),
    raises: ACTING,
    prepare: ({ params, body, ...came }, before) =>
      judgeValues(readBefore(before), guestOf(came), { [params.field_id]: body.value }),
    handle: async ({ params, prepared, ...came }, work) => ({
      field: await saveField(work, guestOf(came), params.field_id, prepared),
    }),
  }),
  write({
    ...ofLink,
    id: 'sign.signing.sign',
    method: 'post',
    path: `${PATH}/sign`,
    summary: 'Sign a document',
    description:
      'With the hashes of what was shown, in any state since it was sent, and the consent that was read. `values` stand beside those that were saved. After the last signature the document is sealed.',
    admits: admits('act'),
    body: SignInput,
    body_limits: BODY_LIMITS,
    reply: Reply,
    raises: [...ACTING, 'consent_changed', 'document_changed'],
    prepare: ({ body, ...came }, before) => judgeValues(readBefore(before), guestOf(came), body.values ?? {}),
    handle: async ({ body, prepared, ...came }, work) => {
      const guest = guestOf({ ...came, user_agent: came.client.user_agent });
      return { signing: await signDocument(work, guest, body, prepared) };
    },
  }),
  write({
    ...ofLink,
    id: 'sign.signing.decline',
    method: 'post',
    path: `${PATH}/decline`,
    summary: 'Decline to sign',
    description: 'It ends the document for all; they are told why.',
    admits: admits('act'),
    body: DeclineInput,
    reply: Reply,
    raises: ACTING,
    handle: async ({ body, ...came }, work) => {
      const guest = guestOf({ ...came, user_agent: came.client.user_agent });
      return { signing: await declineDocument(work, guest, body.reason) };
    },
  }),
  // No kept answer: who repeated it would come with a link that is dead.
  stepwise({
    ...ofLink,
    id: 'sign.signing.forward',
    method: 'post',
    path: `${PATH}/forward`,
    summary: 'Pass a document on',
    description:
      'Somebody else signs in your place, where the sender allows it: they get a link of their own, yours is dead, and what you filled in is cleared. The access code stays. The sender is told.',
    admits: admits('act'),
    body: ForwardInput,
    reply: Deleted,
    raises: [...ACTING, 'forward_not_allowed'],
    handle: async ({ body, ...came }, steps) => {
      const guest = guestOf({ ...came, user_agent: came.client.user_agent });
      const { organization_id } = steps.caller;
      await steps.write({ organization_id }, (work) => forwardDocument(work, guest, body));
      return deleted;
    },
  }),
];
