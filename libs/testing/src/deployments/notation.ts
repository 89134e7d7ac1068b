/** Histories and judgements as short texts. */
import type { ModelDeployment, ModelItem, ModelReport } from './model';

const HOUR = 3_600;
const ITEM = /^(?<fingerprint>\w+)(=(?<name>[^@(]+))?(@(?<places>[^(]+))?(\(-(?<hours>\d+)h\))?$/;

/**
 * Reports an hour apart, or as far as `+48h` says: `[1,2]` runs two versions of `app`, `2=web:2` one of `web`, `2@a&b`
 * names two workloads, `2@job:a` a job, `2(-3h)` a start three hours before the report (else unknown), and
 * `revived [1]` is the first report after a revival. A fingerprint may occur twice, as two instances.
 */
export function reportsOf(text: string): ModelReport[] {
  let at = 1_700_000_000;
  return [...text.matchAll(/(?:\+(\d+)h )?(revived )?\[([^\]]*)\]/g)].map(([, interval, revived, items]) => {
    at += Number(interval ?? 1) * HOUR;
    const itemOf = (item: string): ModelItem => {
      const { fingerprint, name, places, hours } = ITEM.exec(item)!.groups as Record<string, string | undefined>;
      const workloads = places?.split('&').map((id) => ({ id, isJob: id.startsWith('job:') })) ?? null;
      const startedAt = at - Number(hours ?? 0) * HOUR;
      return { fingerprint: fingerprint!, name: name ?? `app:${fingerprint}`, workloads, namespaces: null, startedAt };
    };
    return { at, items: items!.split(',').filter(Boolean).map(itemOf), revival: revived !== undefined };
  });
}

/** `4 1 rollback? < 2@3`: in snapshot 4, 1 is a rollback, not yet final, of what last ran in snapshot 3. */
export const textOf = ({ snapshot, fingerprint, kind, kindFinal, replaced }: ModelDeployment): string =>
  `${snapshot} ${fingerprint} ${kind}${kindFinal ? '' : '?'}${replaced ? ` < ${replaced.fingerprint}@${replaced.snapshotIndex}` : ''}`;
