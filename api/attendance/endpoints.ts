import { departments } from './departments.ts';
import { leaveBalances } from './leave-balances.ts';
import { leaveRequests } from './leave-requests.ts';
import { members } from './members.ts';
import { positions } from './positions.ts';

export const attendance = [...members, ...departments, ...positions, ...leaveRequests, ...leaveBalances];
