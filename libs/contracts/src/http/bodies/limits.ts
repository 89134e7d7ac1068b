/** The most characters of a name: it is part of a stream id, which every engine must be able to index. */
export const NAME_MAX = 512;

/** The most characters of a description: aggregate states are bounded to 32 KB. */
export const DESCRIPTION_MAX = 4_096;
