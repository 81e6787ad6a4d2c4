import { authPaths } from '../auth/paths.ts';
import { apiKeys } from './api-keys.ts';
import { invitations } from './invitations.ts';
import { members } from './members.ts';
import { organizations } from './organizations.ts';

/** People, organizations and their credentials. */
export const access = [...authPaths, ...organizations, ...members, ...invitations, ...apiKeys];
