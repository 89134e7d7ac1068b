/** The engine cannot be reached, or a write's fate is unknown. The caller may try again with the same ids. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The engine can do nothing any more in this process, which only a new start mends. No call throws it: it goes to whoever hears of faults. */
export class StoreLost extends Error {
  override readonly name = 'StoreLost';
}

/** There is no room on disk: nothing was written. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
}

/** More appends wait than the engine lets wait at once: nothing was written. A moment later there may be room. */
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

/** A blob is longer than the limit given. */
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
