/** The group in which ingestion consumes the feed. */
export const GROUP = 'ingestion';
