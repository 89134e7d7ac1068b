import { type FileHandle, open } from 'node:fs/promises';
import { AddressForbidden } from '@assurance/http/outgoing/guard';
import { causeOf, type OutgoingConnections } from '@assurance/http/outgoing/outgoing';

/** Identifies the version of a downloaded file: headers of the response that contained it. */
export interface FileVersion {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** The most bytes of a file, and the most milliseconds that a download may take. */
interface Bounds {
  readonly bytes: number;
  readonly ms: number;
}

/** The reason why there is no file. The message names only the host of an address. */
export class NotDownloaded extends Error {
  override readonly name = 'NotDownloaded';
}

/**
 * Downloads a file from the web and writes it to a new file. It does not follow redirects.
 *
 * @param before the version that was downloaded before; null if there is none
 * @returns the open file and its version; null if the version did not change
 * @throws NotDownloaded
 */
export async function download(
  outgoing: OutgoingConnections,
  url: URL,
  path: string,
  before: FileVersion | null,
  { bytes: most, ms }: Bounds,
  stopSignal: AbortSignal,
): Promise<{ readonly handle: FileHandle; readonly version: FileVersion } | null> {
  const timeoutSignal = AbortSignal.timeout(ms);
  try {
    const agent = await outgoing.agentFor(url);
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { 'user-agent': 'deployment-assurance', ...conditionOf(before) },
      signal: AbortSignal.any([timeoutSignal, stopSignal]),
    });
    const { statusCode, headers, body } = answer;
    if (statusCode === 304 && before !== null) {
      await body.dump();
      return null;
    }
    if (statusCode !== 200) {
      // Ending the body early emits an error, which is expected.
      body.on('error', () => undefined).destroy();
      const redirect = statusCode >= 300 && statusCode < 400 ? ': redirects are not followed' : '';
      throw new NotDownloaded(`it answered ${statusCode}${redirect}`);
    }
    const version = { etag: textOf(headers['etag']), lastModified: textOf(headers['last-modified']) };
    return { handle: await writeToFile(path, body, most), version };
  } catch (error) {
    stopSignal.throwIfAborted();
    if (error instanceof NotDownloaded) throw error;
    if (timeoutSignal.aborted) throw new NotDownloaded(`it took longer than ${ms / 1_000} s`);
    const cause = causeOf(error);
    const reason = cause instanceof Error ? cause.message : 'it could not be reached';
    throw new NotDownloaded(cause instanceof AddressForbidden ? reason : `it could not be read: ${reason}`);
  }
}

async function writeToFile(path: string, body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileHandle> {
  const handle = await open(path, 'wx+', 0o600);
  try {
    let size = 0;
    for await (const piece of body) {
      size += piece.length;
      if (size > maxBytes) throw new NotDownloaded(`it has more than ${maxBytes} bytes: name smaller files`);
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
