import { type Route, takesAttachments } from './route';

const KiB = 1024;

/**
 * The most bytes of a request's body, by what it is: the one table that the pipeline holds requests to and that the OpenAPI document tells.
 * A smaller `ASSURANCE_MAX_BODY_BYTES` holds for all; a larger one is for reports alone.
 */
export const BODY_BYTES = {
  /** Routes that take no body read a small one all the same, since clients send `null`. */
  none: 64 * KiB,
  /** Settings, names, provenance. */
  json: 256 * KiB,
  /** The fields of a form and its file. Attachments have a limit of their own. */
  form: 1024 * KiB,
  /** Everything that an environment runs. */
  report: 32 * 1024 * KiB,
} as const;

/** The most bytes of JSON in one field of any content: it is kept with every event that carries it, and served in every answer. */
export const FREE_JSON_BYTES = 256 * KiB;

/** The most values of JSON in it: what is read of each event costs by values, and not by bytes. */
export const FREE_JSON_VALUES = 10_000;

/**
 * The most bytes that a body of this route may have, without attachments.
 *
 * @param configured the setting of the installation
 */
export function bodyLimit(route: Route, configured: number): number {
  const kind = kindOf(route);
  return kind === 'report' ? configured : Math.min(BODY_BYTES[kind], configured);
}

function kindOf({ body }: Route): keyof typeof BODY_BYTES {
  if (body === undefined) return 'none';
  if (body.kind === 'multipart') return 'form';
  return body.counted === undefined ? 'json' : 'report';
}

/** The same with attachments, where the route takes them. */
export function requestLimit(route: Route, limits: { readonly bodyBytes: number; readonly attachmentBytes: number }) {
  const body = bodyLimit(route, limits.bodyBytes);
  return takesAttachments(route) ? body + limits.attachmentBytes : body;
}
