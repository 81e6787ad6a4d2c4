import { resolve } from 'node:path';
import type { z } from 'zod';
import { englishOf } from '../../kernel/language.ts';
import { StartupError } from '../../kernel/startup-error.ts';
import { secretsKeyFrom } from '../secrets/keys.ts';
import { SettingsSchema } from './schema.ts';

/** Environment variables, as in process.env. */
export type Environment = Record<string, string | undefined>;

/** A wrong setting, told in one sentence that names its variable and never its value. */
export class SettingsError extends StartupError {
  override name = 'SettingsError';
}

type Read = z.output<typeof SettingsSchema>;
type Head<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Tail<Rest>}`
  : Lowercase<Name & string>;
type Tail<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${Capitalize<Lowercase<First>>}${Tail<Rest>}`
  : Capitalize<Lowercase<Name & string>>;
type Camel = { [Name in keyof Read as Head<Name>]: Read[Name] };

/** The settings of a command that may run without a database of its own: those of `npm start`. */
export type StartSettings = Camel & { baseUrl: string; requireEmailVerification: boolean };

/** The settings of the API: PORT is `port`, DATABASE_URL is `databaseUrl`, ... */
export type Settings = WorkerSettings & { authSecret: string; operatorPassword: string | undefined };

/** The settings of the workers, who neither know sessions nor serve operators. */
export type WorkerSettings = Omit<StartSettings, 'authSecret' | 'operatorPassword'> & {
  databaseUrl: string;
  databaseDirectUrl: string;
};

/** What the settings say about the seals of signed documents. */
export type SealSettings = Pick<
  StartSettings,
  'signP12' | 'signP12Password' | 'signTsaUrl' | 'signTsaRequired' | 'dataDir' | 'embeddedDatabase'
>;

/** What a reference page says of one setting. `default` is null where there is none. */
export type SettingRow = { name: string; default: string | null; description: string };

/** The settings in the order of the schema. */
export const settingRows: SettingRow[] = Object.entries(SettingsSchema.shape).map(([name, schema]) => {
  const { def } = schema as { def: { defaultValue?: unknown } };
  return {
    name,
    default: def.defaultValue === undefined ? null : String(def.defaultValue),
    description: schema.description ?? '',
  };
});

/**
 * The settings of the API. An empty variable is an absent one. Throws SettingsError for the first that is wrong or
 * missing.
 */
export function readSettings(environment: Environment): Settings {
  const { operatorPassword, authSecret } = readStartSettings(environment);
  const settings = readWorkerSettings(environment);
  if (authSecret === undefined) {
    throw new SettingsError(
      'AUTH_SECRET is required with DATABASE_URL: for instance the output of openssl rand -hex 32.',
    );
  }
  return { ...settings, operatorPassword, authSecret };
}

/** Settings that the processes of workers are not given: what signs sessions and what opens /ops. */
export const API_SECRETS = ['AUTH_SECRET', 'OPERATOR_PASSWORD'] as const;

/** The settings of the workers. Errors: as `readSettings`, but no secret of the API is asked for. */
export function readWorkerSettings(environment: Environment): WorkerSettings {
  const { authSecret: _, operatorPassword: __, ...settings } = readStartSettings(environment);
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) {
    throw new SettingsError('DATABASE_URL is required: only npm start brings a database of its own.');
  }
  return { ...settings, databaseUrl, databaseDirectUrl: settings.databaseDirectUrl ?? databaseUrl };
}

/** The settings of `npm start`, which brings the database and AUTH_SECRET where DATABASE_URL is absent. */
export function readStartSettings(environment: Environment): StartSettings {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const result = SettingsSchema.safeParse(present);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new SettingsError(`${issue?.path.join('.')} ${englishOf(issue?.message ?? '')}.`);
  }
  const read = result.data;
  if (read.SMTP_URL && !read.MAIL_FROM) throw new SettingsError('MAIL_FROM is required with SMTP_URL.');
  const settings = Object.fromEntries(
    Object.entries(read).map(([name, value]) => [propertyOf(name), value]),
  ) as Camel;
  return {
    ...settings,
    dataDir: resolve(read.DATA_DIR),
    baseUrl: (read.BASE_URL ?? `http://localhost:${read.PORT}`).replace(/\/+$/, ''),
    secretsKey: read.SECRETS_KEY ?? (read.AUTH_SECRET && secretsKeyFrom(read.AUTH_SECRET)),
    requireEmailVerification: read.REQUIRE_EMAIL_VERIFICATION ?? read.SMTP_URL !== undefined,
  };
}

function propertyOf(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
