/** The most characters of a name. A name is part of a stream id, which every engine must be able to index. */
export const NAME_MAX = 512;

/** The most characters of the address of a repository. Every report of the repository normalises its address again. */
export const REPO_ADDRESS_MAX = 2_048;

/** The most characters of a description. Aggregate states are limited to 32 KB. */
export const DESCRIPTION_MAX = 4_096;
