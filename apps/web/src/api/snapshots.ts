import type { Schemas } from './client';
import { useAnswer } from './use-answer';

/** How many artifacts a page of the list shows. */
export const ARTIFACTS_PER_PAGE = 50;

interface SnapshotQuery {
  readonly show: 'running' | 'changed' | 'non-compliant' | 'allowed';
  readonly search?: string;
  /** The key of a cause of failures. */
  readonly cause?: string;
  readonly page?: number;
  readonly perPage?: number;
}

export type Snapshot = Schemas['Snapshot'] & { readonly total: number };

/** A snapshot with one page of its artifacts, and how many artifacts all pages have. */
export function useSnapshot(
  env: string,
  expr: string,
  { show, search = '', cause, page = 1, perPage = ARTIFACTS_PER_PAGE }: SnapshotQuery,
): Snapshot {
  const data = useAnswer(
    '/snapshots/{org}/{env}/{expr}',
    { env, expr },
    { show, page, per_page: perPage, search: search || undefined, cause },
  );
  return { ...data, total: data.artifact_page?.total_count ?? data.artifacts.length };
}
