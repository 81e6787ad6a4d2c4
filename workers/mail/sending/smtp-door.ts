import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { connectionOptions, openConnection } from '../../../shared/platform/mailer/smtp.ts';
import { MailFailure } from '../../../shared/platform/mailer/transport.ts';
import { handOver } from './dialogue.ts';
import type { Door, OpenDoor } from './door.ts';

/** Milliseconds for a server to answer, and for a connection to come about. */
const PATIENCE = { connection: 10_000, greeting: 10_000, silence: 60_000 };

/** Connections to the server of a URL; `silence`: milliseconds after which a server that says nothing is given up. */
export function smtpDoors(url: string, { silence = PATIENCE.silence } = {}): OpenDoor {
  const { auth, options } = connectionOptions(url, { ...PATIENCE, silence });
  return async (ended) => {
    const connection = new SMTPConnection(options);
    // Errors are told to whoever uses it; one that breaks while nobody does must not end the process.
    connection.on('error', () => undefined);
    try {
      await openConnection(connection, auth, new AbortController().signal);
    } catch (error) {
      connection.close();
      if (!(error instanceof MailFailure)) throw error;
      return { is_sign_in_refused: isSignInRefused(error), words: error.message };
    }
    const door: Door = {
      handOver: (letter) => handOver(connection, letter),
      reset: () => isReset(connection),
      close: () => {
        connection.quit();
        setImmediate(() => connection.close());
      },
    };
    connection.once('end', () => ended(door));
    return door;
  };
}

/** A refused mail may have left its envelope with the server; RSET ends it (RFC 5321 4.1.1.5). */
function isReset(connection: SMTPConnection): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const broken = () => resolve(false);
  connection.once('end', broken);
  connection.reset((error) => resolve(!error));
  return promise.finally(() => connection.off('end', broken));
}

/** 535 and its like to the credentials, for good. */
function isSignInRefused({ cause }: MailFailure): boolean {
  const { code, responseCode } = cause as { code?: string; responseCode?: number };
  return code === 'EAUTH' && (responseCode === undefined || responseCode >= 500);
}
