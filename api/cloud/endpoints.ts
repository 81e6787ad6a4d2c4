import { files } from './files.ts';
import { folders } from './folders.ts';
import { s } from './s.ts';
import { settings } from './settings.ts';
import { shares } from './shares.ts';
import { trash } from './trash.ts';
import { uploads } from './uploads.ts';
import { versions } from './versions.ts';

export const cloud = [...folders, ...files, ...versions, ...uploads, ...trash, ...shares, ...s, ...settings];
