import { Reader } from './reader';
import { WriteQueue } from './write-queue';
import type { WriterData } from './writer';

/** One of the two files of a data folder. This thread reads it; its own writer thread writes it. */
export interface Store {
  readonly reader: Reader;
  readonly writes: WriteQueue;
}

/**
 * Opens a file, and makes it if it is missing.
 *
 * @throws StoreUnavailable if the file cannot be used
 */
export async function openStore(data: WriterData, onFault: (error: unknown) => void): Promise<Store> {
  let refresh = (): void => undefined;
  const writes = await WriteQueue.start(data, onFault, () => refresh());
  try {
    const reader = new Reader(data.file, data.events === null ? undefined : () => writes.abandon());
    refresh = () => reader.refresh();
    return { reader, writes };
  } catch (error) {
    await writes.close();
    throw error;
  }
}
