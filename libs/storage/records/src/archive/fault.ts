/** A file is no archive, or was changed. The message follows the file's name. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
}
