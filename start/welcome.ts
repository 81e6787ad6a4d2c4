import type { StartSettings } from '../shared/settings.ts';

/** Who can sign in to the records of the very first start. */
export type Credentials = { email: string; password: string; api_key: string };

/** The lines that a person sees when all is up: where to look, and one command that works. */
export function welcome(settings: StartSettings, seconds: number, credentials: Credentials | null): string {
  const { baseUrl } = settings;
  const lines = [
    `The service is up after ${seconds.toFixed(1)} s`,
    '',
    `API        ${baseUrl}/api/v1`,
    `Reference  ${baseUrl}/docs`,
    `Operators  ${baseUrl}/ops`,
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

function curl(baseUrl: string, credentials: Credentials | null): string {
  if (!credentials) return `curl ${baseUrl}/openapi.json`;
  return `curl -H 'Authorization: Bearer ${credentials.api_key}' ${baseUrl}/api/v1/crm/contacts`;
}
