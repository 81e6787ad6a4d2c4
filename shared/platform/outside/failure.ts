import type { Text } from '../../kernel/language.ts';

/**
 * Why a call to the outside came to nothing. `url`: the address is not one that is called. `address_refused`: it leads to an
 * address that is not public. `insecure`: it is not https. `too_large`: the answer is longer than the caller takes. `status` is never among them: an
 * answer of any status is an answer.
 */
export type OutsideReason =
  | 'url'
  | 'dns'
  | 'insecure'
  | 'address_refused'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'redirect'
  | 'too_large'
  | 'aborted';

/** A call that came to nothing. The message names no address, header or body: it may be logged. */
export class OutsideFailure extends Error {
  override name = 'OutsideFailure';
  readonly reason: OutsideReason;
  /** Whether the other side may have received the request: then another try may be a second one. */
  readonly may_have_arrived: boolean;

  constructor(reason: OutsideReason, { may_have_arrived }: { may_have_arrived: boolean }) {
    super(outsideTexts[reason].en);
    this.reason = reason;
    this.may_have_arrived = may_have_arrived;
  }
}

/** What each says; logs and jobs keep the English. */
export const outsideTexts: Readonly<Record<OutsideReason, Text>> = {
  url: { en: 'The address is not one that may be called', ja: '呼び出せないアドレスです' },
  dns: { en: 'The name of the host is not known', ja: '相手のホスト名が見つかりません' },
  insecure: { en: 'The host is called by https alone', ja: '相手はhttpsでしか呼び出せません' },
  address_refused: {
    en: 'The host has an address that is not public',
    ja: '相手のアドレスが外部に公開されたものではありません',
  },
  connect: { en: 'The host takes no connection', ja: '相手に接続できません' },
  tls: {
    en: 'The certificate of the host or its TLS is not right',
    ja: '相手の証明書またはTLSに問題があります',
  },
  timeout: { en: 'The host did not answer in time', ja: '相手が時間内に応答しませんでした' },
  reset: { en: 'The host ended the connection', ja: '相手が接続を切りました' },
  redirect: { en: 'The host sent the call elsewhere', ja: '相手が別のアドレスへ転送しました' },
  too_large: { en: 'The answer of the host is too long', ja: '相手の応答が長すぎます' },
  aborted: { en: 'The call was given up', ja: '呼び出しを中止しました' },
};
