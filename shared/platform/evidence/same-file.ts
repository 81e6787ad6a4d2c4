/** What the warning of a file says that another document has too. */
export const sameFileIn = (document_id: string) => ({
  en: `The same file is in ${document_id}`,
  ja: `同じファイルが ${document_id} にあります`,
});
