import type { Page } from '../kit/page.ts';
import { accountPage, activatePage, newKeyPage, newOrganizationPage } from './account.ts';
import { downloadPageOfFile, downloadsPage } from './downloads.ts';
import { invitePage } from './invite.ts';
import { askForResetPage, resetPage, revokeKeysPage } from './password.ts';
import { revokeKeyPage } from './revoke-key.ts';
import { signInPage, signOutPage, signUpPage } from './sign-in.ts';
import { askForVerificationPage, verifyPage } from './verification.ts';

/** Every page for people who sign up, sign in, join and manage their keys. */
export const pages: readonly Page[] = [
  signInPage,
  signOutPage,
  signUpPage,
  askForVerificationPage,
  verifyPage,
  askForResetPage,
  resetPage,
  revokeKeysPage,
  invitePage,
  accountPage,
  newOrganizationPage,
  activatePage,
  newKeyPage,
  revokeKeyPage,
  downloadsPage,
  downloadPageOfFile,
];
