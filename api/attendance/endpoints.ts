import { departments } from './departments.ts';
import { members } from './members.ts';
import { positions } from './positions.ts';

export const attendance = [...members, ...departments, ...positions];
