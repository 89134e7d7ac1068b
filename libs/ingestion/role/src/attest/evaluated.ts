import { RefusalError } from '@assurance/http';
import { EvaluatorBusy } from '@assurance/ingestion-evaluator';

/**
 * What the evaluator said.
 *
 * @throws RefusalError `too-busy` when too much waits for it: nothing was done
 */
export async function evaluated<Said>(said: Promise<Said>): Promise<Said> {
  try {
    return await said;
  } catch (error) {
    throw error instanceof EvaluatorBusy ? new RefusalError({ kind: 'too-busy' }) : error;
  }
}
