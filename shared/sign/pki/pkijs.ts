/** The one place that knows which library reads and writes certificates, PKCS #12 and CMS. */
export * as asn1 from 'asn1js';
export * as pki from 'pkijs';
