import type { Page } from '../../pages/kit/page.ts';
import { formPage } from './form-page.ts';
import { previewPage } from './preview-page.ts';
import { receiptPage } from './receipt-page.ts';
import { resumePage } from './resume-page.ts';

/** What guests open who answer forms. Fixed words of a path go before slugs. */
export const formPages: readonly Page[] = [receiptPage, resumePage, previewPage, formPage];
