import { refusesBy } from '../../db/constraint.ts';
import { Failure } from '../../kernel/failure.ts';

/** Settings name a list that is there. */
export const MAILING_LIST = 'forms_settings_mailing_list';

/** A list that forms ask people to join stays: settings refer to it, and are checked for it when they are changed. */
refusesBy(
  MAILING_LIST,
  () =>
    new Failure('in_use', {
      detail: {
        en: 'A form asks people to join the list',
        ja: 'このリストはフォームの配信申し込み先に指定されています',
      },
    }),
);
