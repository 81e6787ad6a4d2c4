import { words } from '../kernel/vocabulary.ts';

/** The words of received documents. Words are never renamed: callers store them. */
export const receivedWords = words({
  prefixes: {
    received_invoice: 'rinv',
    received_quotation: 'rquo',
    received_purchase_order: 'rpo',
    received_delivery_note: 'rdn',
    received_file: 'rfile',
    received_payment: 'rpay',
  },
  failures: {
    received_file_frozen: {
      status: 409,
      code: 'frozen',
      title: { en: 'The file is not replaced', ja: 'このファイルは差し替えられません' },
      help: {
        en: 'Files are replaced before the decision on their document, each once; send another file without "supersedes".',
        ja: 'ファイルを差し替えられるのは承認などの前だけで、1つにつき1回です。「supersedes」を付けずに追加してください。',
      },
    },
  },
  events: [],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    received: typeof receivedWords;
  }
}
