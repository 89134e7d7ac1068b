/** A file is no archive, or not as it was written. The message goes on after the file's name. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
}
