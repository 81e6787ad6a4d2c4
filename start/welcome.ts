import type { StartSettings } from '../shared/platform/settings/settings.ts';
import type { KeptSecret } from './secret.ts';

/** Who can sign in to the records of the very first start. */
export type Credentials = { email: string; password: string; api_key: string };

export type Welcome = {
  /** From the start until all was up. */
  seconds: number;
  credentials: Credentials | null;
  /** The password of /ops that the start keeps; null where it keeps none. */
  operator_password: KeptSecret | null;
};

/** The lines that a person sees when all is up: where to look, and one command that works. */
export function welcome(
  settings: StartSettings,
  { seconds, credentials, operator_password }: Welcome,
): string {
  const { baseUrl } = settings;
  const lines = [
    `The service is up after ${seconds.toFixed(1)} s`,
    '',
    `API        ${baseUrl}/api/v1`,
    `Reference  ${baseUrl}/docs`,
    `Operators  ${baseUrl}/ops`,
    ...operatorLines(settings, operator_password).map((line) => `           ${line}`),
  ];
  if (credentials) {
    lines.push(
      '',
      `Sign-in    ${credentials.email}`,
      `Password   ${credentials.password}`,
      `API key    ${credentials.api_key}`,
      '',
      'These are shown this once.',
    );
  }
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '─'.repeat(width + 2);
  const box = [`┌${rule}┐`, ...lines.map((line) => `│ ${line.padEnd(width)} │`), `└${rule}┘`];
  return `${box.join('\n')}\n\n${curl(baseUrl, credentials)}\n`;
}

/** How the pages for operators are opened. */
function operatorLines({ operatorPassword }: StartSettings, kept: KeptSecret | null): string[] {
  if (kept?.is_new) return [`password ${kept.value}, any user name`, `shown this once, kept in ${kept.path}`];
  if (kept) return [`password in ${kept.path}, any user name`];
  if (operatorPassword) return ['password of OPERATOR_PASSWORD, any user name'];
  return ['closed until OPERATOR_PASSWORD is set'];
}

function curl(baseUrl: string, credentials: Credentials | null): string {
  if (!credentials) return `curl ${baseUrl}/openapi.json`;
  return `curl -H 'Authorization: Bearer ${credentials.api_key}' ${baseUrl}/api/v1/crm/contacts`;
}
