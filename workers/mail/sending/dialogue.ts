import type { NodemailerError } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Dialogue } from '../../../shared/mail/sending/outcomes.ts';
import { Text } from './text.ts';

/** A mail with its envelope (RFC 5321, RFC 3461). `id`: that of its recipient. */
export type Letter = { id: string; message: Buffer; envelope: { from: string; to: string; envid: string } };

/**
 * Hands one mail over on a connection that is open. Never throws. A connection whose dialogue ended with anything but an answer is
 * not to be used again.
 */
export function handOver(connection: SMTPConnection, { message, envelope }: Letter): Promise<Dialogue> {
  const text = new Text(message);
  const { from, to, envid } = envelope;
  return new Promise((resolve) => {
    const failed = (error: NodemailerError) => resolve(dialogueOf(error, text.begun));
    connection.once('error', failed);
    const sent = { from, to: [to], size: message.length, dsn: { envid } };
    connection.send(sent, text, (error, info) => {
      connection.off('error', failed);
      if (error) failed(error);
      else resolve({ kind: 'taken', reply: info.response });
    });
  });
}

/** How a dialogue ended by what the library says of it. */
export function dialogueOf(error: NodemailerError, begun: boolean): Dialogue {
  const { responseCode: code, response, command, message } = error;
  if (code && code >= 400 && response !== undefined && answered(command, code)) {
    return { kind: 'refused', code, text: textOf(response), reply: response, answers: answers(command) };
  }
  if (begun) return { kind: 'silent', words: message };
  if (error.code === 'EMESSAGE') return tooLarge(message);
  // Addresses that cannot stand in a command are refused before anything is sent.
  if (error.code === 'EENVELOPE' && !code) return { kind: 'unusable', words: message };
  return { kind: 'lost', words: message };
}

/** A reply to a command of the dialogue. What a closing server says unasked (421) is about what was under way. */
function answered(command: string | undefined, code: number): boolean {
  return command === 'MAIL FROM' || command === 'RCPT TO' || command === 'DATA' || code === 421;
}

function answers(command: string | undefined): 'mail' | 'rcpt' | 'text' {
  if (command === 'RCPT TO') return 'rcpt';
  return command === 'DATA' ? 'text' : 'mail';
}

/** What follows the code; of a reply of several lines the last one, whose code stands alone. */
function textOf(reply: string): string {
  return (reply.split('\n').at(-1) ?? '').replace(/^\d{3}[ -]?/, '');
}

/** Larger than the server has said that it takes (RFC 1870). */
function tooLarge(words: string): Dialogue {
  return { kind: 'refused', code: 552, text: '5.3.4', reply: `552 5.3.4 ${words}`, answers: 'text' };
}
