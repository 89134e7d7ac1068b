import { readFileSync } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { AdmissionSettings } from '../config';
import type { Log } from '../reporter';
import { sentenceOf } from '../service';

/** How often files are read again (milliseconds). Mounted secrets change by links, and file systems do not reliably report that. */
const LOOK_MS = 1_000;

type Files = Pick<AdmissionSettings, 'tlsCertFile' | 'tlsKeyFile' | 'clientCaFile' | 'environment'>;

/** The certificate of the webhook and the authority of API servers. @throws for files that are missing or do not fit */
export function readCertificates({ tlsCertFile, tlsKeyFile, clientCaFile }: Files) {
  const read = (file: string) => readFileSync(file, 'utf8');
  const options = {
    cert: read(tlsCertFile),
    key: read(tlsKeyFile),
    ca: clientCaFile === null ? undefined : read(clientCaFile),
  };
  createSecureContext(options);
  return options;
}

/**
 * Gives renewed certificates to the server. While files cannot be used, it keeps the previous ones: a secret is away for a moment, or one file of a
 * pair has not changed yet.
 *
 * @returns ends it
 */
export function followCertificates(server: Server, files: Files, log: Log): () => void {
  const { environment } = files;
  let current = JSON.stringify(readCertificates(files));
  let failure = '';
  const timer = setInterval(() => {
    try {
      const options = readCertificates(files);
      failure = '';
      if (JSON.stringify(options) === current) return;
      current = JSON.stringify(options);
      server.setSecureContext(options);
      log({ level: 'info', environment, message: 'Certificates were read again.' });
    } catch (fault) {
      const message = `The certificates cannot be read, so the previous ones stay in use: ${sentenceOf(fault)}`;
      if (message !== failure) log({ level: 'error', environment, message });
      failure = message;
    }
  }, LOOK_MS);
  return () => clearInterval(timer);
}
