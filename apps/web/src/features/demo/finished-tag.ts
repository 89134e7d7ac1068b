/** The last step sets this tag on `demo-production`. A demo without it is not complete. */
export const FINISHED = { demo: 'finished' } as const;
