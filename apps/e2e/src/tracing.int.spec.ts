import { BOOTSTRAP } from './support/declared';
import { otlpReceiver } from './support/otlp-receiver';
import { Place } from './support/process';
import { servers } from './support/servers';
import { pathTo, tracedReport } from './support/traced';
import { worldOf } from './support/world';

const ROUTE = '/api/v2/environments/:org/:env/report/docker';

describe('traces of services apart', () => {
  const place = new Place();
  afterAll(() => place.clear());

  it('lead from the caller through gateway, ingestion, MongoDB and Kafka into the views, as one', async () => {
    const receiver = await otlpReceiver();
    const env = {
      ...servers(),
      ASSURANCE_PUBLIC_URL: 'http://localhost:1',
      ASSURANCE_OPERATIONS_PORT: '0',
      ASSURANCE_LOG_LEVEL: 'error',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
    const bootstrap = place.write('bootstrap.yaml', BOOTSTRAP);
    const ingestion = place.start({ ...env, ASSURANCE_BOOTSTRAP_FILE: bootstrap }, [], 'ingestion');
    const projection = place.start(env, [], 'projection');
    const services = {
      ASSURANCE_INGESTION_URL: await ingestion.url(),
      ASSURANCE_PROJECTION_URL: await projection.url(),
    };
    const others = {
      ASSURANCE_NOTIFICATION_DISPATCHER_URL: 'http://127.0.0.1:1',
      ASSURANCE_AUDIT_PACKAGE_URL: 'http://127.0.0.1:1',
    };
    const gateway = place.start({ ...env, ...services, ...others }, [], 'gateway');
    const caller = (await worldOf({ url: await gateway.url() })).as('member');
    const { spans, sent } = await tracedReport(caller, receiver);
    expect(pathTo('process projection', spans)).toEqual([
      `assurance-gateway: PUT ${ROUTE}`,
      `assurance-ingestion: PUT ${ROUTE}`,
      'assurance-ingestion: append environment',
      'assurance-projection: process projection',
    ]);
    expect(pathTo('publish', spans).at(-1)).toBe('assurance-ingestion: publish');
    expect(spans.filter(({ parentSpanId }) => parentSpanId === sent)).toHaveLength(1);
    for (const service of [gateway, projection, ingestion]) expect(await service.stop()).toBe(0);
    await receiver.close();
  }, 120_000);
});
