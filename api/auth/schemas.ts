import { z } from 'zod';
import { says } from '../../shared/kernel/language.ts';
import { id, timestamp } from '../../shared/kernel/schema.ts';
import { accountEmail, name } from '../../shared/platform/access/names.ts';
import { knownPassword, newPassword } from '../../shared/platform/access/passwords.ts';

/** The auth paths keep the field names of better-auth, so that its clients work with them. */

/** A path of this service to be led to afterwards. */
const CallbackURL = z
  .string()
  .max(2000)
  .regex(
    /^\/(?![/\\])[^\\\s]*$/,
    says({ en: 'must be a path of this service', ja: 'はこのサービスのパスで指定してください' }),
  )
  .describe('A path of this service to go on to; answered back as `url`.')
  .meta({ examples: ['/account'] });

const RememberMe = z
  .boolean()
  .describe('false: the session ends with the browser, after a day at the latest.');

/** What clients of better-auth may send here and nobody needs. */
export const Unused = z
  .string()
  .max(2000)
  .describe('Not used: the link leads to a page of this service.')
  .meta({ examples: ['/account'] });

export const SignUp = z
  .strictObject({
    name: name(100).meta({ examples: ['山田 花子'] }),
    email: accountEmail(),
    password: newPassword(),
    image: z
      .url({ protocol: /^https$/ })
      .max(2000)
      .optional(),
    locale: z.enum(['ja', 'en']).describe('The language of mails; ja unless said.').optional(),
    callbackURL: CallbackURL.optional(),
    rememberMe: RememberMe.optional(),
  })
  .meta({ id: 'SignUp' });

export const SignIn = z
  .strictObject({
    email: accountEmail(),
    password: knownPassword(),
    callbackURL: CallbackURL.optional(),
    rememberMe: RememberMe.optional(),
  })
  .meta({ id: 'SignIn' });

export const AuthUser = z
  .strictObject({
    id: id('usr'),
    name: z.string().meta({ examples: ['山田 花子'] }),
    email: z.string().meta({ examples: ['hanako.yamada@example.co.jp'] }),
    emailVerified: z.boolean(),
    image: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    locale: z.string().meta({ examples: ['ja'] }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'AuthUser' });

export const AuthSession = z
  .strictObject({
    id: id('ses'),
    userId: id('usr'),
    token: z.string().meta({ examples: ['f3kq0Zr8'] }),
    expiresAt: timestamp(),
    ipAddress: z
      .string()
      .nullable()
      .meta({ examples: ['203.0.113.7'] }),
    userAgent: z
      .string()
      .nullable()
      .meta({ examples: ['curl/8.14.1'] }),
    activeOrganizationId: id('org').nullable(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'AuthSession' });

export const SignedUp = z.strictObject({
  token: z
    .string()
    .nullable()
    .describe('null where the address must be confirmed first.')
    .meta({ examples: ['f3kq0Zr8'] }),
  user: AuthUser,
});

export const SignedIn = z.strictObject({
  redirect: z.boolean(),
  token: z.string().meta({ examples: ['f3kq0Zr8'] }),
  url: z
    .string()
    .meta({ examples: ['/account'] })
    .optional(),
  user: AuthUser,
});

export const Status = z.strictObject({ status: z.literal(true) });

export const done = { status: true } as const;
