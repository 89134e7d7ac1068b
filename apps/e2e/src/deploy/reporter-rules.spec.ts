import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { helm, manifestsOf } from './manifests';
import { run, tools } from './run';

const CHART = 'deploy/helm/reporter';
const INTERVAL = 60;
const values = ['--values', `${CHART}/ci/admission.yaml`, '--set', `interval=${INTERVAL}`];
const environments = ['--set-json', 'environments=[{"environment": "production", "kind": "K8S"}]'];

describe('the rules of the chart of the reporter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-rules-'));
  const rules = manifestsOf(
    helm('template', 'release', CHART, '--namespace', 'gates', ...values, ...environments),
  ).find(({ kind }) => kind === 'PrometheusRule');
  writeFileSync(join(folder, 'rules.yaml'), stringify(rules?.spec));
  afterAll(() => rmSync(folder, { recursive: true }));

  const labels = 'environment="production", kind="K8S", namespace="gates"';
  const alertsAt = (time: string, alertname: string, fires: boolean, summary: string, more: object = {}) => ({
    eval_time: time,
    alertname,
    exp_alerts: fires ? [{ exp_labels: more, exp_annotations: { summary } }] : [],
  });

  /** Whether Prometheus says so of these series, one value a minute. */
  function passes(series: Readonly<Record<string, string>>, ...alerts: readonly object[]) {
    const test = {
      rule_files: ['rules.yaml'],
      evaluation_interval: '30s',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          alert_rule_test: alerts,
        },
      ],
    };
    writeFileSync(join(folder, 'test.yaml'), stringify(test));
    return run(tools().promtool, ['test', 'rules', join(folder, 'test.yaml')]);
  }

  it('are valid', () => {
    expect(run(tools().promtool, ['check', 'rules', join(folder, 'rules.yaml')])).toMatchObject({ ok: true });
  });

  it('say that an environment is silent after five intervals, and not before', () => {
    const silent = 'The service took no report of an environment for five intervals. The log of the reporter says why.';
    const own = { environment: 'production', kind: 'K8S', severity: 'warning' };
    const name = 'AssuranceReporterSilent';
    const series = { [`assurance_reporter_last_success_timestamp_seconds{${labels}}`]: '0 60 120 120x20' };
    expect(passes(series, alertsAt('6m', name, false, silent), alertsAt('9m', name, true, silent, own))).toMatchObject({
      ok: true,
    });
  });

  it('say that the reporter or the webhook vanished', () => {
    const reporter = 'Prometheus gets no metrics of the reporter.';
    const webhook =
      'Prometheus gets no metrics of the admission webhook. Without it, pods of most namespaces do not start.';
    const there = {
      [`assurance_reporter_reports_total{${labels}, result="sent"}`]: '0x20',
      'assurance_admission_reviews_total{namespace="gates", decision="admitted"}': '0x20',
    };
    const absent = (fires: boolean) => [
      alertsAt('15m', 'AssuranceReporterAbsent', fires, reporter, { namespace: 'gates', severity: 'warning' }),
      alertsAt('15m', 'AssuranceAdmissionAbsent', fires, webhook, { namespace: 'gates', severity: 'critical' }),
    ];
    expect(passes(there, ...absent(false))).toMatchObject({ ok: true });
    expect(passes({ 'up{namespace="gates"}': '0x20' }, ...absent(true))).toMatchObject({ ok: true });
  });

  it.each([
    [
      'AssuranceAdmissionUnjudged',
      'reviews_total',
      'decision="unjudged"',
      'warning',
      'Pods started without a verdict on their images.',
    ],
    [
      'AssuranceAdmissionMisconfigured',
      'faults_total',
      'fault="misconfigured"',
      'critical',
      'The admission webhook gets no verdicts. Correct what its log says.',
    ],
  ])('%s fires once something is counted', (name, metric, label, severity, summary) => {
    const series = (values: string) => ({ [`assurance_admission_${metric}{namespace="gates", ${label}}`]: values });
    expect(passes(series('0x20'), alertsAt('5m', name, false, summary))).toMatchObject({ ok: true });
    expect(passes(series('0 0 1x20'), alertsAt('5m', name, true, summary, { severity }))).toMatchObject({ ok: true });
  });
});
