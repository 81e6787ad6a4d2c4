import { z } from 'zod';
import { Failure } from '../../shared/kernel/failure.ts';
import { byId, timestamp } from '../../shared/kernel/schema.ts';
import { JobResource } from '../../shared/platform/jobs/record.ts';
import { keepConnection } from '../../shared/scheduler/calendars/connect.ts';
import { disconnect } from '../../shared/scheduler/calendars/disconnect.ts';
import {
  beginConsent,
  CALLBACK_PATH,
  type Consent,
  exchangeCode,
  pathOfOurs,
  takeConsent,
} from '../../shared/scheduler/calendars/google/consent.ts';
import { googleProvider } from '../../shared/scheduler/calendars/google/provider.ts';
import { syncConnection, updateConnection } from '../../shared/scheduler/calendars/operations.ts';
import { connectionPage } from '../../shared/scheduler/calendars/queries.ts';
import { CalendarConnection, CalendarConnectionPatch } from '../../shared/scheduler/calendars/record.ts';
import {
  heardOfChange,
  organizationOfChannel,
  PUSH_PATH,
} from '../../shared/scheduler/calendars/watch/channels.ts';
import { Answer } from '../http/declaration.ts';
import { stepwise, write } from '../http/endpoint.ts';
import { transfer } from '../http/files/declarations.ts';
import { list } from '../http/list.ts';
import { FIELDS_SENT } from '../http/resource.ts';
import type { Steps } from '../http/steps.ts';

const PATH = '/api/v1/scheduler/calendars';
const writing = { scope: 'scheduler:write' } as const;
const one = { path: `${PATH}/connections/:id`, params: byId('ccon') };
const Working = z.strictObject({ connection: CalendarConnection, job: JobResource });

/** What Google brings people back with; what else it adds is ignored. */
const Callback = z.object({
  code: z
    .string()
    .max(2_000)
    .meta({ examples: ['4/0AX4XfWh'] })
    .optional(),
  state: z
    .string()
    .max(200)
    .meta({ examples: ['org_01kaj2n5w5fq8b4m0g3v7x9rtc.Zm9v'] })
    .optional(),
  error: z
    .string()
    .max(200)
    .meta({ examples: ['access_denied'] })
    .optional(),
});

export const calendars = [
  write({
    id: 'scheduler.calendars.connect_google',
    method: 'post',
    path: `${PATH}/connect/google`,
    ...writing,
    session: true,
    summary: 'Connect a calendar of Google',
    description:
      'Send the member to `authorization_url`. Google brings them back to this service, in the same session, within ten minutes; from there they go to `return_to` with `connected` (the ID of the connection) or `calendar_error` (a code). The same account again renews its connection. At most 20 connections a member (`in_use`).',
    body: z.strictObject({ return_to: pathOfOurs().optional() }),
    reply: z.strictObject({
      authorization_url: z
        .string()
        .nullable()
        .describe('null in a repeated answer: the address is given once.')
        .meta({ examples: ['https://accounts.google.com/o/oauth2/v2/auth?client_id=...'] }),
      expires_at: timestamp(),
    }),
    secrets: ['authorization_url'],
    raises: ['provider_not_configured'],
    handle: async ({ body, outside }, work) => beginConsent(work, outside, body.return_to ?? null),
  }),
  stepwise({
    id: 'scheduler.calendars.callback_google',
    method: 'get',
    path: CALLBACK_PATH,
    ...writing,
    session: true,
    summary: 'Come back from the consent at Google',
    description:
      'Google sends browsers here. Nothing is kept unless all of the consent was given. `connection` is null where the answer leads elsewhere with a `calendar_error`.',
    query: Callback,
    reply: z.strictObject({ connection: CalendarConnection.nullable() }),
    also: [303],
    raises: [
      'provider_not_configured',
      'invalid_state',
      'access_denied',
      'missing_scope',
      'provider_error',
      'unknown_reference',
      'in_use',
    ],
    handle: ({ query }, steps) => comeBack(query, steps),
  }),
  list({
    id: 'scheduler.calendars.list',
    path: `${PATH}/connections`,
    scope: 'scheduler:read',
    summary: 'List connections of calendars',
    description: "One's own; owners and admins see those of everybody.",
    item: CalendarConnection,
    handle: ({ window }, reader) => connectionPage(reader, window),
  }),
  write({
    ...one,
    ...writing,
    id: 'scheduler.calendars.update',
    method: 'patch',
    summary: 'Decide about the calendars of a connection',
    description: `${FIELDS_SENT} Calendars that are not named stay. A member has one write target among all connections: to choose one takes it from the other. Its owner alone decides.`,
    body: CalendarConnectionPatch,
    reply: z.strictObject({ connection: CalendarConnection }),
    raises: ['not_owner', 'connection_ended', 'unknown_reference'],
    handle: async ({ params, body }, work) => ({
      connection: await updateConnection(work, params.id, body),
    }),
  }),
  write({
    ...one,
    ...writing,
    path: `${one.path}/sync`,
    id: 'scheduler.calendars.sync',
    method: 'post',
    summary: 'Read the calendars of a connection now',
    description: 'Where somebody has asked already, the answer has that job. Its owner alone asks.',
    status: 202,
    reply: Working,
    raises: ['not_owner', 'connection_ended'],
    handle: ({ params }, work) => syncConnection(work, params.id),
  }),
  write({
    ...one,
    ...writing,
    path: `${one.path}/disconnect`,
    id: 'scheduler.calendars.disconnect',
    method: 'post',
    session: true,
    summary: 'Disconnect a calendar',
    description:
      'What was read of it is forgotten at once, and bookings are written into it no more. The job gives the access back; its token is deleted after 24 hours at the latest. Entries stay in the calendar; once the same account is connected again, they follow their bookings. Owners and admins disconnect for everybody.',
    reply: Working,
    raises: ['not_owner', 'connection_ended'],
    handle: ({ params }, work) => disconnect(work, params.id),
  }),
  transfer({
    id: 'scheduler.calendars.push_google',
    method: 'post',
    path: PUSH_PATH,
    scope: 'public',
    is_unlimited: true,
    summary: 'Hear of changes from Google',
    description:
      'Google calls this when a calendar changes, which is then read. Whoever calls learns nothing: the answer is always the same.',
    status: 204,
    hears: {
      'X-Goog-Channel-ID': {
        description: 'The channel, as this service named it.',
        example: 'org_01kaj2n5w5fq8b4m0g3v7x9rtc-Zm9vYmFyZm9vYmFyZm9vYg',
      },
      'X-Goog-Channel-Token': { description: 'What the channel was opened with.', example: 'Zm9vYmFy' },
    },
    handle: async (_, steps) => {
      const { 'X-Goog-Channel-ID': id, 'X-Goog-Channel-Token': token } = steps.heard;
      const organization_id = id && organizationOfChannel(id);
      if (organization_id && token) {
        await steps.write({ organization_id, may_change_nothing: true }, (work) =>
          heardOfChange(work, id, token),
        );
      }
      return new Answer(204, null);
    },
  }),
];

/**
 * Keeps the connection that somebody has consented to, and sends them where they wanted to go on. Errors: those of the
 * endpoint; all but those of the state are told at the way on, where there is one.
 */
async function comeBack(
  { code, state, error }: z.output<typeof Callback>,
  steps: Steps,
): Promise<{ connection: CalendarConnection } | Answer<{ connection: CalendarConnection | null }>> {
  const { caller, context } = steps;
  const acting = { organization_id: caller.organization_id, may_change_nothing: true };
  if (state === undefined) throw new Failure('invalid_state');
  const consent = await steps.write(acting, (work) => takeConsent(work, state));
  try {
    if (error !== undefined) throw new Failure(error === 'access_denied' ? error : 'provider_error');
    if (code === undefined) throw new Failure('provider_error');
    const { verifier, user_id } = consent;
    const proved = await exchangeCode(context.outside, { code, verifier, now: caller.now });
    const connection = await steps.write(acting, (work) =>
      keepConnection(work, context.outside.secret_keys, { user_id, provider: googleProvider, ...proved }),
    );
    return onTheWay(consent, connection) ?? { connection };
  } catch (failure) {
    const way = failure instanceof Failure && onTheWay(consent, null, failure.code);
    if (!way) throw failure;
    return way;
  }
}

function onTheWay(
  { return_to }: Consent,
  connection: CalendarConnection | null,
  calendar_error?: string,
): Answer<{ connection: CalendarConnection | null }> | null {
  if (return_to === null) return null;
  // The base is of no matter: a path of this service stays one.
  const way = new URL(return_to, 'http://service');
  if (connection) way.searchParams.set('connected', connection.id);
  else way.searchParams.set('calendar_error', calendar_error ?? 'provider_error');
  const Location = `${way.pathname}${way.search}${way.hash}`;
  return new Answer(303, { connection }, { Location });
}
