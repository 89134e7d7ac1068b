import { exampleHash } from './made-up.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The length of the history (days). */
export const DAYS = 60;

/** The vendor's agent that runs among the functions: nobody here built it. */
export const AGENT: DemoArtifact = {
  service: { flow: 'agent', artifact: 'agent' },
  name: 'vendor/agent:7',
  fingerprint: exampleHash(64, 'agent 7'),
};

export interface Service {
  readonly flow: string;
  readonly artifact: string;
  readonly image: string;
  readonly description: string;
  readonly repo: { readonly name: string; readonly url: string; readonly provider: string; readonly id: string };
  readonly author: string;
  readonly tests: 'junit' | 'generic';
  /** The project of its tickets. */
  readonly issue?: string;
  readonly releases: number;
  readonly everyDays: number;
  readonly changes: readonly string[];
  readonly hotfix?: { readonly number: number; readonly message: string };
}

/** What runs: a release of a service, or something that nobody here built. */
export interface DemoArtifact {
  readonly service: Pick<Service, 'flow' | 'artifact'>;
  readonly name: string;
  readonly fingerprint: string;
}

export interface Release extends DemoArtifact {
  readonly service: Service;
  readonly number: number;
  readonly version: string;
  /** Epoch seconds. */
  readonly committed: number;
  readonly commit: { readonly sha1: string; readonly message: string; readonly timestamp: number };
  readonly trail: string;
}

/** All that runs in an environment from a time on (epoch seconds), one an instance. */
export interface Report {
  readonly at: number;
  readonly running: readonly { readonly release: DemoArtifact; readonly since: number }[];
}

/** Three services: what each is, where its code is, and how often it is released. All of it is made up. */
export const SERVICES: readonly Service[] = [
  {
    flow: 'demo-web',
    artifact: 'web',
    image: 'shop/web',
    description: 'What customers see',
    repo: { name: 'acme/shop-web', url: 'https://github.com/acme/shop-web', provider: 'github', id: '9001' },
    author: 'Ada <ada@example.com>',
    tests: 'junit',
    issue: 'SHOP',
    releases: 10,
    everyDays: 6,
    changes: ['Sell tea', 'Sell coffee', 'Show prices with tax', 'Load pictures late', 'Remember the basket'],
  },
  {
    flow: 'demo-checkout',
    artifact: 'checkout',
    image: 'shop/checkout',
    description: 'Baskets, prices and payment',
    repo: { name: 'acme/checkout', url: 'https://gitlab.com/acme/checkout', provider: 'gitlab', id: '9002' },
    author: 'Grace <grace@example.com>',
    tests: 'junit',
    issue: 'PAY',
    releases: 7,
    everyDays: 8,
    changes: ['Round to cents', 'Take vouchers', 'Ask for the bank once', 'Time out after 5 seconds'],
    /** The sixth release mends the fifth. */
    hotfix: { number: 6, message: 'Hotfix: round to cents after vouchers' },
  },
  {
    flow: 'demo-mailer',
    artifact: 'mailer',
    image: 'shop-mailer',
    description: 'Mails about orders',
    repo: { name: 'acme/mailer', url: 'https://github.com/acme/mailer', provider: 'github', id: '9003' },
    author: 'Edsger <edsger@example.com>',
    tests: 'generic',
    releases: 4,
    everyDays: 14,
    changes: ['Say thank you', 'Attach the invoice', 'Send one mail an order'],
  },
];

export const ENVIRONMENTS = [
  { name: 'demo-staging', type: 'docker', description: 'Every build, an hour after its commit', tier: 'test' },
  {
    name: 'demo-production',
    type: 'K8S',
    description: 'Where customers are',
    include_scaling: true,
    tier: 'production',
  },
  { name: 'demo-functions', type: 'lambda', description: 'What runs now and then', tier: 'production' },
];

/** The logical environment of production. */
export const ALL_OF_PRODUCTION = {
  name: 'demo-customers',
  type: 'logical',
  description: 'All that customers meet',
  included_environments: ['demo-production', 'demo-functions'],
};

/** The template of a trail of the service. */
export const templateOf = ({ artifact, tests }: Service) => `version: 1
trail:
  attestations:
    - name: review
      type: pull_request
  artifacts:
    - name: ${artifact}
      attestations:
        - name: tests
          type: ${tests}
`;

/**
 * The releases of a service, oldest first.
 *
 * @param until epoch seconds: the end of the history
 */
export function releasesOf(service: Service, until: number): readonly Release[] {
  // No two services release in the same minute.
  const offset = SERVICES.indexOf(service) * 11 * MINUTE;
  return Array.from({ length: service.releases }, (_, i) => {
    const commitTime = until - (DAYS - i * service.everyDays) * DAY + ((i * 5) % 9) * HOUR + offset;
    const version = `2.${i + 1}`;
    const sha1 = exampleHash(40, `${service.flow} ${version}`);
    return {
      service,
      number: i + 1,
      version,
      committed: commitTime,
      commit: {
        sha1,
        message:
          (isHotfix(service, i + 1) ? service.hotfix?.message : service.changes[i % service.changes.length]) ?? '',
        author: service.author,
        branch: 'main',
        timestamp: commitTime,
        parents: i === 0 ? [] : [exampleHash(40, `${service.flow} 2.${i}`)],
      },
      fingerprint: exampleHash(64, `${service.flow} ${version}`),
      name: `${service.image}:${version}`,
      trail: `build-${i + 1}`,
    };
  });
}

const isHotfix = ({ hotfix }: Service, number: number) => hotfix?.number === number;

/** The changes of an environment: at a time a number of instances of a release replaces the last release of its service. */
function happenings(env: string, releases: readonly Release[]) {
  const deploy = (release: DemoArtifact, at: number, count = 1) => ({ at, release, count });
  const of = (flow: string) => releases.filter(({ service }) => service.flow === flow);
  const [web = [], checkout = [], mailer = []] = SERVICES.map(({ flow }) => of(flow));
  const nth = (all: readonly Release[], i: number) => {
    const release = all[i];
    if (release === undefined) throw new Error(`there is no release ${i + 1}`);
    return release;
  };
  /** The way to customers takes from half a day to two, and that of a hotfix two hours. */
  const deploymentTime = ({ service, number, committed }: Release, i: number) =>
    committed + (isHotfix(service, number) ? 2 : 12 + ((i * 7) % 36)) * HOUR;
  switch (env) {
    case 'demo-staging':
      return [
        ...releases.map((release) => deploy(release, release.committed + HOUR)),
        // Is the newest checkout slower than the one before? A look at that, and back.
        deploy(nth(checkout, 5), nth(web, 9).committed + 3 * HOUR),
        deploy(nth(checkout, 6), nth(web, 9).committed + 5 * HOUR),
      ];
    case 'demo-functions':
      return [
        deploy(AGENT, nth(mailer, 0).committed),
        ...mailer.map((release, i) => deploy(release, deploymentTime(release, i))),
      ];
    default:
      return [
        ...web.map((release, i) => deploy(release, deploymentTime(release, i), 2)),
        ...checkout.map((release, i) => deploy(release, deploymentTime(release, i))),
        // A sale: more instances of what runs, for a day.
        deploy(nth(web, 5), deploymentTime(nth(web, 5), 5) + 5 * HOUR, 4),
        deploy(nth(web, 5), deploymentTime(nth(web, 5), 5) + 10 * HOUR, 2),
        // The fifth checkout was no good: back to the fourth within two hours.
        deploy(nth(checkout, 3), deploymentTime(nth(checkout, 4), 4) + 2 * HOUR),
      ];
  }
}

/** The reports of an environment, oldest first. Each differs from the one before, so that each makes a snapshot. */
export function reportsOf(env: string, releases: readonly Release[]): readonly Report[] {
  const runningByFlow = new Map<string, Report['running']>();
  return happenings(env, releases)
    .sort((a, b) => a.at - b.at)
    .map(({ at, release, count }) => {
      const { flow } = release.service;
      const keptInstances = (runningByFlow.get(flow) ?? [])
        .filter((instance) => instance.release === release)
        .slice(0, count);
      const newInstances = Array.from({ length: count - keptInstances.length }, () => ({ release, since: at }));
      runningByFlow.set(flow, [...keptInstances, ...newInstances]);
      return { at, running: [...runningByFlow.values()].flat() };
    });
}
