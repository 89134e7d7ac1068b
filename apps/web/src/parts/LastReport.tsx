import type { Schemas } from '../api/client';
import { Badge, Time } from '../ui';

type ReportingEnvironment = Pick<Schemas['Environment'], 'type' | 'last_reported_at' | 'late_since'>;

/** When an environment was last reported, and whether the next report is late. */
export const LastReport = ({ environment }: { readonly environment: ReportingEnvironment }) => (
  <span className="pile">
    <Time at={environment.last_reported_at} none={environment.type === 'logical' ? 'by its members' : 'never'} />
    {environment.late_since !== null && <Badge tone="warn">Report is late</Badge>}
  </span>
);
