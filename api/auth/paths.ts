import { passwordPaths } from './password.ts';
import { sessionPaths } from './sign-in.ts';
import { signUpPaths } from './sign-up.ts';
import { verificationPaths } from './verification.ts';

/** The paths of better-auth that are open; it has more, and those are not reachable. */
export const authPaths = [...signUpPaths, ...sessionPaths, ...passwordPaths, ...verificationPaths];
