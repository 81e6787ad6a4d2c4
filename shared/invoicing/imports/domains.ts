import type { ImportDomain } from '../../platform/imports/domain.ts';
import { kinds, type WrittenKind, writtenKinds } from '../documents/kinds.ts';
import { documentFields } from './fields.ts';
import { documentSession } from './merge.ts';
import { DocumentImportOptions } from './options.ts';
import { revertDocuments } from './revert.ts';
import { makesDocumentsAnew } from './units.ts';

function importOf(kind: WrittenKind): ImportDomain<DocumentImportOptions> {
  const fields = documentFields(kind);
  const { path, title } = kinds[kind];
  return {
    kind: `invoicing.${path.replaceAll('-', '_')}`,
    title: { en: `${title.en.charAt(0).toUpperCase()}${title.en.slice(1)}s`, ja: title.ja },
    prefix: 'iimp',
    domain: 'invoicing',
    scope: 'invoicing:write',
    options: DocumentImportOptions,
    check: async (_, options) => options,
    fields: async () => fields,
    makesAnew: makesDocumentsAnew,
    open: (_, run) => documentSession(kind, run),
    revert: (work, run, after) => revertDocuments(work, kind, run, after),
  };
}

/** By kind, its documents as rows of a file, a row a line. */
export const documentImports = Object.fromEntries(
  writtenKinds.map((kind) => [kind, importOf(kind)]),
) as Record<WrittenKind, ImportDomain<DocumentImportOptions>>;
