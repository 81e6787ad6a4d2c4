/**
 * The version of the page's template: raised with every change of what a PDF shows. A draft is rendered anew then;
 * an issued document keeps the bytes that it has.
 */
export const TEMPLATE_VERSION = '4';
