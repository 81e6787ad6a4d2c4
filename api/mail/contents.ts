/** What a request with contents may have: two bodies of 512 KiB, each of whose characters may be escaped, and the other fields. */
export const CONTENTS_LIMITS = { bytes: 4 * 1024 * 1024 };
