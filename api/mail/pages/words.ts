import type { Language } from '../../../shared/kernel/language.ts';

/** What the page says where whoever got a mail unsubscribes. */
export const unsubscribeWords: Record<
  Language,
  {
    title: string;
    done_title: string;
    ask: (sender: string, email: string | null) => string;
    done: (sender: string, email: string | null) => string;
    all: string;
    lists: string;
    lists_note: string;
    leave: string;
    left: string;
    test: string;
  }
> = {
  ja: {
    title: 'メールの配信停止',
    done_title: '配信を停止しました',
    ask: (sender, email) =>
      email === null
        ? `${sender}からのメールの配信を停止できます。`
        : `${sender}から ${email} へのメールの配信を停止できます。`,
    done: (sender, email) =>
      email === null
        ? `今後、${sender}からメールをお送りすることはありません。`
        : `今後、${sender}から ${email} へメールをお送りすることはありません。`,
    all: 'すべてのメールの配信を停止する',
    lists: 'リストごとに停止する',
    lists_note: '特定のリストのメールだけを停止することもできます。',
    leave: '停止する',
    left: '停止済み',
    test: 'これはテストメールのリンクです。操作しても、配信は停止されません。',
  },
  en: {
    title: 'Unsubscribe',
    done_title: 'You are unsubscribed',
    ask: (sender, email) =>
      email === null
        ? `You can stop the mail of ${sender}.`
        : `You can stop the mail of ${sender} to ${email}.`,
    done: (sender, email) =>
      email === null
        ? `${sender} will send you no more mail.`
        : `${sender} will send no more mail to ${email}.`,
    all: 'Stop all mail',
    lists: 'Stop the mail of a list',
    lists_note: 'You can also stop the mail of some lists alone.',
    leave: 'Stop',
    left: 'Stopped',
    test: 'This link is of a test mail: nothing that you do here stops any mail.',
  },
};
