import { APIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { alreadyExists } from '../../shared/db/constraint.ts';
import { Failure } from '../../shared/kernel/failure.ts';
import { newId } from '../../shared/kernel/id.ts';
import { hashPassword } from '../../shared/platform/access/passwords.ts';
import { SESSION_SECONDS } from '../../shared/platform/access/sessions/operations.ts';
import { sendAccountExists, sendEmailVerification } from '../../shared/platform/mailer/account-mails.ts';
import type { ApiContext } from '../context.ts';
import { cookiePrefix } from '../http/authenticate.ts';
import { authAdapter } from './adapter.ts';
import { currentCall, inTransaction } from './call.ts';

const PREFIXES = { user: 'usr', session: 'ses', account: 'acct', verification: 'ver' } as const;

/**
 * better-auth as this service uses it: accounts, the proof of passwords, sessions and their cookie. Its limiter, its
 * cookie cache, its links and its check of origins are off: the service has its own.
 */
export function makeAuth({ settings }: ApiContext) {
  const created = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return betterAuth({
    appName: 'Business Operations',
    baseURL: settings.baseUrl,
    basePath: '/api/v1/auth',
    secret: settings.authSecret,
    database: authAdapter,
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: cookiePrefix(settings.baseUrl),
      // It would put `__Secure-` before the name.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: settings.baseUrl.startsWith('https:') },
      disableCSRFCheck: true,
      disableOriginCheck: true,
      database: { generateId: ({ model }) => newId(PREFIXES[model as keyof typeof PREFIXES], new Date()) },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      requireEmailVerification: settings.requireEmailVerification,
      password: { hash: async (password) => currentCall().password_hash ?? hashPassword(password) },
      onExistingUserSignUp: ({ user }) =>
        inTransaction(null, async (work) => {
          if (user.emailVerified) await sendAccountExists(work, user.id);
          else await sendEmailVerification(work, user.id);
        }),
    },
    emailVerification: {
      sendOnSignUp: settings.requireEmailVerification,
      sendVerificationEmail: ({ user }) =>
        inTransaction(null, async (work) => {
          await sendEmailVerification(work, user.id);
        }),
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', ...created },
      additionalFields: { locale: { type: 'string', required: false, defaultValue: 'ja' } },
    },
    session: {
      modelName: 'sessions',
      expiresIn: SESSION_SECONDS,
      cookieCache: { enabled: false },
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...created,
      },
      additionalFields: {
        activeOrganizationId: {
          type: 'string',
          required: false,
          input: false,
          fieldName: 'active_organization_id',
        },
      },
    },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...created,
      },
    },
    verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...created } },
  });
}

/** better-auth with the settings of this service. */
export type Auth = ReturnType<typeof makeAuth>;

/** Errors of better-auth as the service tells them. What is not expected of its checked input is a fault of ours. */
export function failureOfAuth(error: unknown): unknown {
  if (!(error instanceof APIError)) return error;
  switch (error.body?.code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return new Failure('invalid_credentials', {
        detail: {
          en: 'The e-mail address or the password is wrong',
          ja: 'メールアドレスまたはパスワードが正しくありません',
        },
      });
    case 'EMAIL_NOT_VERIFIED':
      return new Failure('email_not_verified');
    case 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL':
      return alreadyExists('/email', {
        en: 'There is an account with this e-mail address',
        ja: 'このメールアドレスのアカウントはすでにあります',
      });
    default:
      return error;
  }
}
