import { words } from '../kernel/vocabulary.ts';

/** The words of forms. Words are never renamed: callers store them. */
export const formsWords = words({
  prefixes: {
    form: 'form',
    form_version: 'formv',
    form_response: 'resp',
    form_file: 'ffile',
    form_invitation: 'finv',
    form_partial: 'fpart',
  },
  failures: {},
  events: ['forms.response.submitted'],
});

declare module '../kernel/vocabulary.ts' {
  interface Vocabulary {
    forms: typeof formsWords;
  }
}
