import { closed } from '../../http/bodies/body';
import { isPlain } from '../../http/bodies/plain';
import { artifactsOf, itemFields, kind } from './report-rules';

/** One container and its image. */
const DockerReportArtifact = closed('DockerReportArtifact', itemFields({ named: ['image name', 'shop/web:1.4'] }));

/** `PUT /environments/{org}/{env}/report/docker`: everything that runs now (specification 2.9 and 4.3). */
export const DockerReport = closed('DockerReport', {
  type: kind('docker'),
  artifacts: artifactsOf(DockerReportArtifact),
});

/** One process, or one directory, on a server. */
const ServerReportArtifact = closed(
  'ServerReportArtifact',
  itemFields({ named: ['file or directory name', '/srv/shop/web.jar'] }),
);

/** `PUT /environments/{org}/{env}/report/server`. */
export const ServerReport = closed('ServerReport', {
  type: kind('server'),
  artifacts: artifactsOf(ServerReportArtifact),
});

/** The content of one bucket. */
const S3ReportArtifact = closed(
  'S3ReportArtifact',
  itemFields({ named: ['bucket name', 'shop-assets'], single: true }),
);

/** `PUT /environments/{org}/{env}/report/S3`. */
export const S3Report = closed('S3Report', { type: kind('S3'), artifacts: artifactsOf(S3ReportArtifact) });

/** One function. */
const LambdaReportArtifact = closed(
  'LambdaReportArtifact',
  itemFields({ named: ['function name', 'shop-mailer'], single: true }),
);

/** `PUT /environments/{org}/{env}/report/lambda`. */
export const LambdaReport = closed('LambdaReport', {
  type: kind('lambda'),
  artifacts: artifactsOf(LambdaReportArtifact),
});

/** Counts the artifacts of a report before it is validated. Each digest of an item counts as one artifact, and so does an item without digests. */
export function artifactCount(body: unknown): number {
  const items = isPlain(body) ? body['artifacts'] : null;
  if (!Array.isArray(items)) return 0;
  return items.reduce<number>((count, item: unknown) => {
    const digests = isPlain(item) ? item['digests'] : null;
    return count + Math.max(1, isPlain(digests) ? Object.keys(digests).length : 1);
  }, 0);
}
