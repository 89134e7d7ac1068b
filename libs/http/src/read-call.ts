import { BODY_BYTES } from '@assurance/contracts/http/body-limits';
import { pathErrors, plainDigits } from '@assurance/contracts/http/patterns';
import { readQuery } from '@assurance/contracts/http/read-query';
import { isEvidence, type Route, takesContent } from '@assurance/contracts/http/route';
import type { Limits } from '@assurance/event-sourcing/tokens';
import { parseDeepInSlices, parseJsonInSlices, sha256InSlices } from '@assurance/kernel';
import { BlobTooLarge } from '@assurance/storage-ports';
import type { FastifyRequest } from 'fastify';
import type { Admission } from './admission';
import type { Answer } from './answer';
import { parseBody, type ReadBody, readBody } from './body';
import type { PipelineRequest } from './exchange';
import type { Store } from './form';
import { LargeBodies } from './large-bodies/large-bodies';
import type { LargeBodyResult } from './large-bodies/read-large';
import { RefusalError } from './refusals';
import { restOf } from './route.decorator';
import { openBody } from './sealed-body';
import type { Shortcut } from './shortcut';
import { StorageUsage } from './storage-usage';
import type { Upload, Uploads } from './uploads';

/** The dependencies of `readCalls`. */
export interface ReadCallDependencies {
  readonly limits: Limits;
  readonly shortcuts?: readonly Shortcut[];
  /** How much each organization may still store; null: without a limit. */
  readonly usage?: Pick<StorageUsage, 'remainingBytes' | 'fullError'> | null;
}

/**
 * Reads the call of an authenticated request. `bytes` are its body, which this function owns from then on; null if there is none, or if it is a form.
 *
 * @returns the answer of a shortcut; null: the request carries its call now, unless the route is public
 * @throws RefusalError
 */
export type ReadCall = (request: PipelineRequest, route: Route, bytes: Buffer | null) => Promise<Answer | null>;

/** Opens, parses and checks bodies and queries. A shortcut answers before the body is parsed. */
export function readCalls(
  { limits, shortcuts: all = [], usage = null }: ReadCallDependencies,
  {
    admission,
    largeBodies,
    uploads,
  }: {
    readonly admission: Pick<Admission, 'addBytes'>;
    readonly largeBodies: LargeBodies;
    readonly uploads: Uploads | null;
  },
): ReadCall {
  const shortcuts = new Map(all.flatMap((shortcut) => shortcut.routes.map(({ id }) => [id, shortcut])));

  return async (request, route, sent) => {
    const { assurance } = request;
    if (assurance === undefined || assurance === null) return null;
    const { identity, correlation } = assurance;
    const query = readQuery(route.query, request.query as Record<string, unknown>);
    const params = paramsOf(route, request);
    const openedBody = identity?.seal === undefined || sent === null ? null : await openBody(identity.seal, sent);
    const bytes = openedBody?.bytes ?? sent;
    const shortcut = shortcuts.get(route.id);
    const bodyDigest =
      shortcut === undefined || bytes === null ? undefined : (openedBody?.digest ?? (await sha256InSlices(bytes)));
    if (identity !== undefined && bodyDigest !== undefined && 'value' in query) {
      const answer = await shortcut?.answer({ route, org: identity.org, params, query: query.value, bodyDigest });
      if (answer != null) return answer;
    }
    const isLarge = identity !== undefined && bytes !== null && LargeBodies.reads(route, bytes);
    const readLarge = async (owner: string, content: Buffer) => {
      const largeBody = await largeBodies.hold(owner, route, content, limits.artifactsPerReport);
      assurance.leave = largeBody.leave;
      if (largeBody.read.kind === 'malformed') throw new RefusalError(largeBody.read.refusal);
      return largeBody.read;
    };
    const largeContent = isLarge ? await readLarge(identity.holder ?? identity.org.id, bytes) : null;
    const json = largeContent === null && route.body?.kind === 'json' ? parseBody(bytes, route) : null;
    if ('errors' in query) throw new RefusalError({ kind: 'invalid', errors: query.errors });
    const errors = pathErrors(route.patterns ?? {}, params);
    if (Object.keys(errors).length > 0) throw new RefusalError({ kind: 'invalid', errors });
    if (identity === undefined) return null;
    if (takesContent(route)) await usage?.remainingBytes(identity.org.id, 'events');
    const ownUploads: Upload[] = [];
    assurance.uploads = ownUploads;
    const store: Store = async (content, limit) => {
      if (uploads === null) throw new Error(`route ${route.id} takes attachments, and there is no place for them`);
      const { id } = identity.org;
      const remainingBytes = (await usage?.remainingBytes(id, 'attachments')) ?? Infinity;
      return uploads.put(ownUploads, id, content, Math.min(limit, remainingBytes)).catch((error: unknown) => {
        throw error instanceof BlobTooLarge && remainingBytes < limit ? usage?.fullError(id, 'attachments') : error;
      });
    };
    // Forms are always read by Fastify: requests with a form are not served directly.
    const form = request as FastifyRequest;
    let arrivedBytes = 0;
    const evidence = {
      count: (more: number) => {
        arrivedBytes += more;
        // Admission has already counted a form of the ordinary size. Only the bytes beyond that are added.
        admission.addBytes(request, Math.min(more, arrivedBytes - BODY_BYTES.form));
      },
      read: async (content: Buffer) =>
        LargeBodies.reads(route, content)
          ? takeLarge(route, await readLarge(identity.holder ?? identity.org.id, content))
          : null,
    };
    const read =
      largeContent === null
        ? await readBody(route, form, json, limits, store, evidence, identity.seal)
        : await takeLarge(route, largeContent);
    assurance.call = { ...identity, correlation, params, query: query.value, ...read, bodyDigest };
    return null;
  };
}

/** @throws RefusalError */
async function takeLarge(route: Route, read: LargeBodyResult): Promise<ReadBody> {
  if (read.kind !== 'read') throw new RefusalError(read.refusal);
  const body = await (isEvidence(route) ? parseDeepInSlices(read.text) : parseJsonInSlices(read.text));
  return { body, files: {}, attachments: [] };
}

/** The path parameters, with the fingerprint in the form in which it is stored. */
function withPlainFingerprint(params: Record<string, string>): Record<string, string> {
  const { fingerprint } = params;
  return fingerprint === undefined ? params : { ...params, fingerprint: plainDigits(fingerprint) };
}

/** The path parameters, each decoded once. Fastify names the rest of a path `*`. */
function paramsOf(route: Route, request: PipelineRequest): Readonly<Record<string, string>> {
  const pathParams = withPlainFingerprint(request.params as Record<string, string>);
  if (pathParams['*'] === undefined) return pathParams;
  const { '*': rest, ...params } = pathParams;
  const name = restOf(route.path);
  return name === null ? params : { ...params, [name]: rest };
}
