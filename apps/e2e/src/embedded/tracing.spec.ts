import { BOOTSTRAP } from '../support/declared';
import { otlpReceiver } from '../support/otlp-receiver';
import { Place } from '../support/process';
import { pathTo, tracedReport } from '../support/traced';
import { worldOf } from '../support/world';

const ROUTE = '/api/v2/environments/:org/:env/report/docker';

describe('traces of one process', () => {
  const place = new Place();
  const env = {
    ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
    ASSURANCE_OPERATIONS_PORT: '0',
    ASSURANCE_LOG_LEVEL: 'error',
  };
  afterAll(() => place.clear());

  it('lead from the caller through the append and the feed into the views', async () => {
    const receiver = await otlpReceiver();
    const service = place.start({
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'shop',
    });
    const caller = (await worldOf({ url: await service.url() })).as('member');
    const { spans, sent } = await tracedReport(caller, receiver);
    expect(pathTo('process projection', spans)).toEqual([
      `shop: PUT ${ROUTE}`,
      'shop: append environment',
      'shop: process projection',
    ]);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === sent).map(({ name }) => name)).toEqual([`PUT ${ROUTE}`]);
    expect(await service.stop()).toBe(0);
    await receiver.close();
  }, 60_000);

  it('are off, and their library is not loaded, without a receiver', async () => {
    const loads = { NODE_DEBUG: 'module' };
    const service = place.start({ ...env, ...loads });
    await service.url();
    expect(await service.stop()).toBe(0);
    expect(service.err).toContain('/node_modules/pino/');
    expect(service.err).not.toContain('@opentelemetry/sdk-trace');
  }, 60_000);

  it('prevent the start if the receiver is no URL', async () => {
    const service = place.start({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' });
    expect(await service.ended).toBe(1);
    expect(service.err).toBe(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, such as http://localhost:4318.\n',
    );
  }, 60_000);
});
