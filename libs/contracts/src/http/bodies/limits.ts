/** The most characters of a name. A name is part of a stream id, which every engine must be able to index. */
export const NAME_MAX = 512;

/** The most characters of a description. Aggregate states are limited to 32 KB. */
export const DESCRIPTION_MAX = 4_096;
