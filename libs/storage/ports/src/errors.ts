/** The engine cannot be reached, or the result of a write is unknown. The caller may try again with the same ids. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The engine refuses the settings, or its configuration does not fit the service. The message is written for an operator. */
export class StoreMisconfigured extends Error {
  override readonly name = 'StoreMisconfigured';
}

/** The engine failed for good; only a restart of the process helps. No call throws this; the listener for faults gets it. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost';
}

/** The disk is full: nothing was written. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
}

/** Too many appends are waiting: nothing was written. Try again shortly. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
  constructor() {
    super('more writes wait than may wait at once');
  }
}

/** A commit is larger than `COMMIT_BYTES_MAX`: its data belongs outside. */
export class CommitTooLarge extends Error {
  override readonly name = 'CommitTooLarge';
}

/** A blob is larger than the given limit in bytes. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge';
  constructor(readonly limit: number) {
    super(`the content is larger than ${limit} bytes`);
  }
}

/** Another process has the data folder open. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

/** Codes of Node's errors when a TLS connection fails. */
const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/;

/** The code that says why a TLS connection failed, from a fault or from one of its causes; null if there is none. */
export function tlsCodeOf(fault: unknown): string | null {
  if (typeof fault !== 'object' || fault === null) return null;
  const { code, cause } = fault as { code?: unknown; cause?: unknown };
  return typeof code === 'string' && TLS_CODE.test(code) ? code : tlsCodeOf(cause);
}
