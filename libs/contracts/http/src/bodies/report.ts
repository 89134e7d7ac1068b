import { Closed } from './described';
import { isPlain } from './plain';
import { Created, Digests, Items } from './report-rules';

/** One container, with what runs in it. */
@Closed()
export class DockerReportArtifact {
  @Digests({ named: ['image name', 'shop/web:1.4'] })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;
}

/** `PUT /environments/{org}/{env}/report/docker`: all that runs now (specification 2.9 and 4.3). */
@Closed()
export class DockerReport {
  @Items(() => DockerReportArtifact)
  artifacts!: readonly DockerReportArtifact[];
}

/** One process, or one directory, on a server. */
@Closed()
export class ServerReportArtifact {
  @Digests({ named: ['file or directory name', '/srv/shop/web.jar'] })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;
}

/** `PUT /environments/{org}/{env}/report/server`. */
@Closed()
export class ServerReport {
  @Items(() => ServerReportArtifact)
  artifacts!: readonly ServerReportArtifact[];
}

/** The content of one bucket. */
@Closed()
export class S3ReportArtifact {
  @Digests({ named: ['bucket name', 'shop-assets'], one: true })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;
}

/** `PUT /environments/{org}/{env}/report/S3`. */
@Closed()
export class S3Report {
  @Items(() => S3ReportArtifact)
  artifacts!: readonly S3ReportArtifact[];
}

/** One function. */
@Closed()
export class LambdaReportArtifact {
  @Digests({ named: ['function name', 'shop-mailer'], one: true })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;
}

/** `PUT /environments/{org}/{env}/report/lambda`. */
@Closed()
export class LambdaReport {
  @Items(() => LambdaReportArtifact)
  artifacts!: readonly LambdaReportArtifact[];
}

/** How many artifacts a report has, before anybody checked it: each digest of an item is one, and so is an item that has none. */
export function artifactCount(body: unknown): number {
  const items = isPlain(body) ? body['artifacts'] : null;
  if (!Array.isArray(items)) return 0;
  return items.reduce<number>((count, item: unknown) => {
    const digests = isPlain(item) ? item['digests'] : null;
    return count + Math.max(1, isPlain(digests) ? Object.keys(digests).length : 1);
  }, 0);
}
