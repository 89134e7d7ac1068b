import { type FileHandle, open } from 'node:fs/promises';
import { AddressForbidden } from '@assurance/http/outgoing/guard';
import { causeOf, type Outgoing } from '@assurance/http/outgoing/outgoing';

/** What tells one version of a file from another: headers of the answer that had it. */
export interface FileVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** The most bytes of a file, and the most milliseconds that one may take. */
interface Bounds {
  readonly bytes: number;
  readonly ms: number;
}

/** Why there is no file: a sentence that names no part of an address but its host. */
export class NotDownloaded extends Error {
  override readonly name = 'NotDownloaded';
}

/**
 * Writes a file of the web to a new file. Redirects are not followed.
 *
 * @param before the version that is there already; null for none
 * @returns the file, open, and its version; null where it is the version before
 * @throws NotDownloaded
 */
export async function download(
  outgoing: Outgoing,
  url: URL,
  path: string,
  before: FileVersion | null,
  { bytes: most, ms }: Bounds,
  stopped: AbortSignal,
): Promise<{ readonly handle: FileHandle; readonly version: FileVersion } | null> {
  const within = AbortSignal.timeout(ms);
  try {
    const agent = await outgoing.agentFor(url);
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { 'user-agent': 'deployment-assurance', ...conditionOf(before) },
      signal: AbortSignal.any([within, stopped]),
    });
    const { statusCode, headers, body } = answer;
    if (statusCode === 304 && before !== null) {
      await body.dump();
      return null;
    }
    if (statusCode !== 200) {
      // It says that it ends early, which is what is meant.
      body.on('error', () => undefined).destroy();
      const redirect = statusCode >= 300 && statusCode < 400 ? ': redirects are not followed' : '';
      throw new NotDownloaded(`it answered ${statusCode}${redirect}`);
    }
    const version = { etag: textOf(headers['etag']), lastModified: textOf(headers['last-modified']) };
    return { handle: await written(path, body, most), version };
  } catch (error) {
    stopped.throwIfAborted();
    if (error instanceof NotDownloaded) throw error;
    if (within.aborted) throw new NotDownloaded(`it took longer than ${ms / 1_000} s`);
    const cause = causeOf(error);
    const reason = cause instanceof Error ? cause.message : 'it could not be reached';
    throw new NotDownloaded(cause instanceof AddressForbidden ? reason : `it could not be read: ${reason}`);
  }
}

async function written(path: string, body: AsyncIterable<Uint8Array>, most: number): Promise<FileHandle> {
  const handle = await open(path, 'wx+', 0o600);
  try {
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      if (size > most) throw new NotDownloaded(`it has more than ${most} bytes: name smaller files`);
      await handle.writeFile(piece);
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function conditionOf(before: FileVersion | null): Readonly<Record<string, string>> {
  if (before?.etag != null) return { 'if-none-match': before.etag };
  return before?.lastModified != null ? { 'if-modified-since': before.lastModified } : {};
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && header.length <= 1_024 ? header : null;
}
