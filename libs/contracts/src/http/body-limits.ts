import { isEvidence, type Route, takesAttachments } from './route';

const KiB = 1024;

/**
 * The most bytes of a request's body, by kind of content. The pipeline enforces this table, and the OpenAPI document shows it.
 * `ASSURANCE_MAX_EVIDENCE_BYTES` sets the limit of evidence. A smaller `ASSURANCE_MAX_BODY_BYTES` applies to all kinds; a larger one applies to
 * reports only.
 */
export const BODY_BYTES = {
  /** Routes without a body still read a small one, because clients send `null`. */
  none: 64 * KiB,
  /** Settings, names. */
  json: 256 * KiB,
  /** The fields of a form and its file, such as a schema of 1 MiB. */
  form: 1280 * KiB,
  /** Attestations, trails, artifacts. Attachments have their own limit. */
  evidence: 16 * 1024 * KiB,
  /** Everything that runs in an environment. */
  report: 32 * 1024 * KiB,
} as const;

/** The most bytes of JSON in one field of any content. The content is stored with every event that has the field, and is part of every answer. */
export const FREE_JSON_BYTES = 256 * KiB;

/** The most JSON values in such a field. The cost of reading an event depends on the number of values, not on the bytes. */
export const FREE_JSON_VALUES = 10_000;

/**
 * The most bytes that a body of this route may have, without attachments.
 *
 * @param configured the settings of the installation
 */
export function bodyLimit(route: Route, { bodyBytes, evidenceBytes }: BodyLimits): number {
  const kind = kindOf(route);
  if (kind === 'report') return bodyBytes;
  return Math.min(kind === 'evidence' ? evidenceBytes : BODY_BYTES[kind], bodyBytes);
}

/** The body limits of an installation, in bytes. */
export interface BodyLimits {
  /** The limit for all bodies. */
  readonly bodyBytes: number;
  /** The limit for attestations, trails and artifacts, without attachments. */
  readonly evidenceBytes: number;
}

/** The limits of an installation that configures none. */
export const DEFAULT_BODY_LIMITS: BodyLimits = { bodyBytes: BODY_BYTES.report, evidenceBytes: BODY_BYTES.evidence };

function kindOf(route: Route): keyof typeof BODY_BYTES {
  const { body } = route;
  if (body === undefined) return 'none';
  if (isEvidence(route)) return 'evidence';
  if (body.kind === 'multipart') return 'form';
  return body.counted === undefined ? 'json' : 'report';
}

/** What a client can do if its body exceeds the limit of the route: one sentence without its full stop. */
export function bodyRemedy(route: Route): string {
  if (route.body?.kind === 'multipart' && takesAttachments(route)) {
    return `Send large files as ${route.body.file}, which have a limit of their own. Compress them, or divide them between attestations`;
  }
  return REMEDIES[kindOf(route)];
}

const REMEDIES: Readonly<Record<keyof typeof BODY_BYTES, string>> = {
  none: 'This route needs no body',
  json: 'Shorten its texts and lists',
  form: 'Shorten its file and its texts',
  evidence: 'Shorten its texts, or send what is large with an attestation as a file',
  report: 'Divide what runs between environments, and join these in a logical one',
};

/** The limit of the whole request: the body and, if the route takes them, the attachments. */
export function requestLimit(route: Route, limits: BodyLimits & { readonly attachmentBytes: number }) {
  const body = bodyLimit(route, limits);
  return takesAttachments(route) ? body + limits.attachmentBytes : body;
}
