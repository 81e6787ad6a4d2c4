import type { NodemailerError } from 'nodemailer';
import { trySmtp } from '../../shared/platform/mailer/smtp.ts';
import { obstacleOf } from './cures.ts';
import { advised, type Finding, ok } from './finding.ts';

/** Signs in with the mail server and sends nothing; where that fails, says what of SMTP_URL to look at. */
export async function mailServer(url: string, signal: AbortSignal): Promise<Finding> {
  try {
    await trySmtp(url, signal);
  } catch (error) {
    return advised(error, cureOf(error));
  }
  return ok('The mail server of SMTP_URL lets the service in; npm run operators -- test-mail sends a mail.');
}

const SIGN_IN =
  'Look at user and password of SMTP_URL (percent-encoded, as in p%40ss), and whether the account may send by SMTP.';
const HOST = 'Look at the host of SMTP_URL, and whether this machine can resolve names.';
const PORT =
  'Look at host and port of SMTP_URL: 587 with smtp://, 465 with smtps://. Is the server started, and does a firewall let this machine out? Many networks close port 25.';
const TLS =
  'Look at TLS: smtp:// begins in the clear (587, 25), smtps:// with TLS (465). A certificate must be valid for the host of SMTP_URL; one of your own needs NODE_EXTRA_CA_CERTS, or ?tls.rejectUnauthorized=false.';
const SESSION =
  'The server answers and refuses this service: its log says why. Does it let this address in, and does it want a sign-in or TLS?';

/** What to do about an error of the client of mails. */
function cureOf(error: unknown): string {
  const { code = '', originalCode = '', responseCode } = causeOf(error);
  if (code === 'EAUTH') return SIGN_IN;
  if (responseCode !== undefined) return SESSION;
  const obstacle = obstacleOf([code, originalCode]);
  if (obstacle === 'name') return HOST;
  return obstacle === 'tls' ? TLS : PORT;
}

function causeOf(error: unknown): Partial<NodemailerError> {
  return error instanceof Error && error.cause instanceof Error ? error.cause : {};
}
