import type { LinkedPage, Page } from '../../pages/kit/page.ts';
import { optInPage } from './opt-in.ts';
import { clickPage, openPage } from './reads.ts';
import { unsubscribePage } from './unsubscribe.ts';
import { viewPage } from './view.ts';

const linked: readonly LinkedPage[] = [optInPage, unsubscribePage, viewPage, openPage, clickPage];

/** The pages of mail for people who have no account. */
export const mailPages: readonly Page[] = linked;
