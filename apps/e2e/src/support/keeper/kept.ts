import { type Door, Operator } from '../operator';
import type { Running, Settings, ShapeName } from '../running';

/** The variable that names the keepers, one a worker, as the setup of Jest's projects `node` and `scaled` started them. */
export const KEEPERS = 'ASSURANCE_TEST_KEEPERS';

/** What is asked of a keeper. */
export interface StartRequest {
  readonly shape: ShapeName;
  readonly settings: Settings;
}

/** What it started. */
export interface Kept {
  readonly id: number;
  readonly url: string;
  readonly urls?: readonly string[];
  readonly doors: readonly Door[];
}

/** Where the keeper of this Jest worker is heard; null where none was started. */
export function keeperOfThisWorker(): string | null {
  const keepers = (process.env[KEEPERS] ?? '').split(',').filter((url) => url !== '');
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 1) - 1;
  return keepers[worker % keepers.length] ?? null;
}

/** Has a keeper start services; they end with `stop`, or with the keeper. */
export async function startKept(keeper: string, shape: ShapeName, settings: Settings = {}): Promise<Running> {
  const { id, url, urls, doors } = await asked<Kept>(`${keeper}/start`, { shape, settings } satisfies StartRequest);
  const faults: string[] = [];
  return {
    url,
    urls,
    operator: new Operator(...doors),
    faults,
    stop: async () => void faults.push(...(await asked<readonly string[]>(`${keeper}/stop`, { id }))),
  };
}

async function asked<T>(url: string, question: object): Promise<T> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(question) });
  if (response.status !== 200) throw new Error(`the keeper of services said: ${await response.text()}`);
  return (await response.json()) as T;
}
