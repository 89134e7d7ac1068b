/* eslint-disable no-restricted-globals -- its one effect is a timer that ends waiting */
/**
 * Waits for work, but no longer than a time.
 *
 * @param ms milliseconds
 * @returns whether the work ended in time
 * @throws the error of work that failed in time
 */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
