import { messageIdOf } from '../../platform/mailer/message.ts';
import type { TokenPurpose } from '../campaigns/tokens.ts';
import { addressHeader, textHeader } from './headers.ts';
import {
  asHeader,
  filled,
  parsePlaceholders,
  type ValueName,
  type Values,
  valueFor,
} from './placeholders.ts';
import { type CountedLink, htmlBody, type LinkPlace, type Place, textBody } from './places.ts';
import { END_OF_PAGE, type MailSource, partsOf } from './source.ts';
import { type EncodedPart, encodedPart } from './transfer.ts';
import { type MailOrigin, type MailRecipient, tokensOf, type ValuesOfCampaign, valuesOf } from './values.ts';

export type { MailOrigin, MailRecipient } from './values.ts';

/** A campaign as its mails are made from it: what they say, and who sends them. */
export type CampaignMail = MailSource &
  ValuesOfCampaign & {
    from_name: string | null;
    from_email: string;
    reply_to: string | null;
    bounce_address: string | null;
    track_opens: boolean;
    track_clicks: boolean;
    /** Stands before the subject, as of test mails. */
    subject_prefix?: string;
  };

/** A mail as it is handed to a server. `missing`: values that it lacks without a fallback; such a mail is not sent. */
export type RenderedMail = {
  /** RFC 5322, ASCII with CRLF. Lines that begin with a dot are as they are: SMTP doubles the dot. */
  message: Buffer;
  message_id: string;
  /** `envid` is a token of the recipient for delivery reports (RFC 3461). */
  envelope: { from: string; to: string; envid: string };
  missing: readonly ValueName[];
};

/** A mail as people see it. */
export type ShownMail = { subject: string; html: string; text: string; missing: readonly ValueName[] };

export type CompiledMail = {
  /** The links that can be counted, by their numbers from 1. */
  links: readonly CountedLink[];
  /** What each recipient must have a value for. */
  needed: readonly ValueName[];
  render: (recipient: MailRecipient, now: Date) => RenderedMail;
  show: (recipient: MailRecipient, now: Date) => ShownMail;
};

/** Opens are counted by it. */
const PIXEL = { pixel: true } as const;

type HtmlPlace = Place | LinkPlace | typeof PIXEL;

/** No encoding of a part has it: there an `=` comes before hexadecimal digits or the end of a line. */
const BOUNDARY = '=_part';

/**
 * Takes a campaign apart and encodes it once; each of its mails then costs its values. Unknown placeholders stay as they are
 * written: they are refused before (`requirePlaceholders`).
 */
export function compileMail(campaign: CampaignMail, origin: MailOrigin): CompiledMail {
  const { subject, htmlPlaces, textPlaces, links, needed } = takenApart(campaign, campaign.subject_prefix);
  const htmlPart = encodedPart(htmlPlaces);
  const textPart = encodedPart(textPlaces);
  const before = fixedHeaders(campaign, origin);

  return { links, needed, render, show };

  function render(recipient: MailRecipient, now: Date): RenderedMail {
    const token = tokensOf(campaign, origin, recipient);
    const values = valuesOf(campaign, origin, recipient, now);
    const message_id = messageIdOf(recipient.id, origin.base_url);
    const envid = token('bounce');
    const to = recipient.sent_to ?? recipient.email;
    const { bounce_address, from_email } = campaign;
    const head = [
      before,
      `To: ${to}`,
      textHeader('Subject', filled(subject, values, asHeader).text),
      `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: ${message_id}`,
      listUnsubscribe(
        values.unsubscribe_url!,
        bounce_address && tagged(bounce_address, token('unsubscribe_mail')),
      ),
    ].join('\r\n');
    const parts =
      part('text/plain', textPart, (place) => at(place, values)) +
      part('text/html', htmlPart, (place) => inHtml(place, values, recipient.tracked ? token : null));
    return {
      message: Buffer.from(`${head}\r\n\r\n${parts}--${BOUNDARY}--\r\n`, 'latin1'),
      message_id,
      envelope: {
        from: bounce_address ? tagged(bounce_address, envid) : from_email,
        to,
        envid,
      },
      missing: needed.filter((name) => valueFor({ name, fallback: null }, values) === null),
    };
  }

  function show(recipient: MailRecipient, now: Date): ShownMail {
    const values = valuesOf(campaign, origin, recipient, now);
    return {
      subject: filled(subject, values, asHeader).text,
      html: written(htmlPlaces, (place) => inHtml(place, values, null)),
      text: written(textPlaces, (place) => at(place, values)),
      missing: needed.filter((name) => valueFor({ name, fallback: null }, values) === null),
    };
  }

  /** `token` of those alone whose opens and clicks may be counted. */
  function inHtml(
    place: HtmlPlace,
    values: Values,
    token: ((purpose: TokenPurpose) => string) | null,
  ): string {
    if ('pixel' in place) {
      if (!token || !campaign.track_opens) return '';
      return `<img src="${origin.base_url}/m/o/${token('open')}.gif" alt="" width="1" height="1">`;
    }
    if (!('index' in place)) return at(place, values);
    return token && campaign.track_clicks
      ? `${origin.base_url}/m/c/${token('click')}/${place.index}`
      : written(place.plain, (inner) => at(inner, values));
  }
}

/** What the mails of a campaign need and lead to, known without encoding any. */
export function mailNeeds(source: MailSource): Pick<CompiledMail, 'links' | 'needed'> {
  const { links, needed } = takenApart(source);
  return { links, needed };
}

function takenApart(source: MailSource, subject_prefix = '') {
  const { html, text } = partsOf(source);
  const subject = parsePlaceholders(`${subject_prefix}${source.subject}`).pieces;
  const { body, links } = htmlBody(html);
  const htmlPlaces: readonly (string | HtmlPlace)[] = [...body, PIXEL, END_OF_PAGE];
  const textPlaces = textBody(text).body;
  const needed = neededBy([...subject, ...htmlPlaces, ...textPlaces]);
  return { subject, htmlPlaces, textPlaces, links, needed };
}

function at(place: Place, values: Values): string {
  return place.write(valueFor(place, values) ?? '');
}

function written<Kind extends object>(
  pieces: readonly (string | Kind)[],
  valueAt: (place: Kind) => string,
): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : valueAt(piece))).join('');
}

function neededBy(
  places: readonly (string | HtmlPlace | { name: ValueName; fallback: string | null })[],
): ValueName[] {
  const names = places.flatMap((place) => {
    if (typeof place === 'string' || 'pixel' in place) return [];
    if ('index' in place) return neededBy(place.plain);
    return place.fallback === null ? [place.name] : [];
  });
  return [...new Set(names)];
}

function fixedHeaders(campaign: CampaignMail, origin: MailOrigin): string {
  const { from_name, from_email, reply_to, locale } = campaign;
  return [
    addressHeader('From', { name: from_name, email: from_email }),
    ...(reply_to === null ? [] : [addressHeader('Reply-To', { name: null, email: reply_to })]),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    `Content-Language: ${locale}`,
    `List-Id: <${origin.organization_slug}.${new URL(origin.base_url).hostname}>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ].join('\r\n');
}

function listUnsubscribe(url: string, address: string | null): string {
  return `List-Unsubscribe: <${url}>${address ? `,\r\n <mailto:${address}>` : ''}`;
}

function tagged(address: string, token: string): string {
  const [local, domain] = address.split('@');
  return `${local}+${token}@${domain}`;
}

function part<Kind>(type: string, encoded: EncodedPart<Kind>, valueAt: (place: Kind) => string): string {
  return `--${BOUNDARY}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoded.encoding}\r\n\r\n${encoded.write(valueAt)}\r\n`;
}
