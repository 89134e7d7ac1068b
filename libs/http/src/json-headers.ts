export const JSON_TYPE = 'application/json; charset=utf-8';

/** The headers of JSON that is sent without Fastify. Every private answer has them (`beforeSend`). */
export const RAW_JSON_HEADERS = {
  'content-type': JSON_TYPE,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
