import { refusesBy } from '../../db/constraint.ts';
import { Failure } from '../../kernel/failure.ts';

/** A list that forms ask people to join stays: settings refer to it, and are checked for it when they are changed. */
refusesBy(
  'forms_settings_mailing_list',
  () =>
    new Failure('in_use', {
      detail: {
        en: 'A form asks people to join the list',
        ja: 'このリストはフォームの配信申し込み先に指定されています',
      },
    }),
);
