import type { Page } from '../../pages/kit/page.ts';
import { optInPage } from './opt-in.ts';
import { unsubscribePage } from './unsubscribe.ts';

/** The pages of mail for people who have no account. */
export const mailPages: readonly Page[] = [optInPage as Page, unsubscribePage as Page];
