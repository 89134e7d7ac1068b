import { isEvidence, type Route, takesAttachments } from './route';

const KiB = 1024;

/**
 * The most bytes of a request's body, by what it is: the one table that the pipeline holds requests to and that the OpenAPI document tells.
 * `ASSURANCE_MAX_EVIDENCE_BYTES` sets that of evidence. A smaller `ASSURANCE_MAX_BODY_BYTES` holds for all; a larger one is for reports alone.
 */
export const BODY_BYTES = {
  /** Routes that take no body read a small one all the same, since clients send `null`. */
  none: 64 * KiB,
  /** Settings, names. */
  json: 256 * KiB,
  /** The fields of a form and its file, such as a schema of 1 MiB. */
  form: 1280 * KiB,
  /** Attestations, trails, artifacts. Attachments have a limit of their own. */
  evidence: 16 * 1024 * KiB,
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
 * @param configured the settings of the installation
 */
export function bodyLimit(route: Route, { bodyBytes, evidenceBytes }: BodyLimits): number {
  const kind = kindOf(route);
  if (kind === 'report') return bodyBytes;
  return Math.min(kind === 'evidence' ? evidenceBytes : BODY_BYTES[kind], bodyBytes);
}

/** The most bytes of bodies, as the installation is configured. */
export interface BodyLimits {
  /** Of all. */
  readonly bodyBytes: number;
  /** Of attestations, trails and artifacts, without attachments. */
  readonly evidenceBytes: number;
}

/** The settings of an installation that sets none. */
export const DEFAULT_BODY_LIMITS: BodyLimits = { bodyBytes: BODY_BYTES.report, evidenceBytes: BODY_BYTES.evidence };

function kindOf(route: Route): keyof typeof BODY_BYTES {
  const { body } = route;
  if (body === undefined) return 'none';
  if (isEvidence(route)) return 'evidence';
  if (body.kind === 'multipart') return 'form';
  return body.counted === undefined ? 'json' : 'report';
}

/** What a client can do whose body is larger than its route takes: one sentence without its stop. */
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

/** The same with attachments, where the route takes them. */
export function requestLimit(route: Route, limits: BodyLimits & { readonly attachmentBytes: number }) {
  const body = bodyLimit(route, limits);
  return takesAttachments(route) ? body + limits.attachmentBytes : body;
}
