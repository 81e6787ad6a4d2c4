import type { Sentence } from '../../../kernel/sentences.ts';

/** Why a file as a whole is refused: to who sends it, and of an import that began all the same, which keeps the English. */
export const refusalsOfFile = {
  no_known_columns: (list: string) => ({
    en: `No column of the file is known: it has ${list}. Give the columns names of fields, or name the fields in mapping`,
    ja: `ファイルに取り込める列がありません（ファイルの列：${list}）。見出しを項目名に直すか、mapping で項目を指定してください`,
  }),
  no_column_for: (field: string, example: string, list: string) => ({
    en: `No column is mapped to ${field}: name it in mapping, as ${example}; the file has the columns ${list}`,
    ja: `${field} に対応する列がありません。${example} のように mapping で指定してください。ファイルの列：${list}`,
  }),
  nul: (byte: number) => ({
    en: `The file is not text: byte ${byte}, counted from 0, is NUL. UTF-16 needs a byte-order mark, or encoding utf-16`,
    ja: `ファイルがテキストではありません（先頭を0として${byte}バイト目がNULです）。UTF-16の場合はバイト順マークを付けるか、encoding に utf-16 を指定してください`,
  }),
  undecodable: (byte: string) => ({
    en: `The file is neither UTF-8 nor Shift_JIS: over half of its lines cannot be decoded; the first bad byte is number ${byte}, counted from 0`,
    ja: `ファイルがUTF-8でもShift_JISでもありません。半分を超える行を読み取れず、最初の読めないバイトは先頭を0として${byte}バイト目です`,
  }),
} satisfies Record<string, Sentence>;
