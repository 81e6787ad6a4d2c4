import { contacts } from './crm/contacts.ts';
import type { Endpoint } from './http/endpoint.ts';

/** Every endpoint of the API. Routes, the OpenAPI text, the reference and the contract tests follow from this list. */
export const endpoints: readonly Endpoint[] = [...contacts];
