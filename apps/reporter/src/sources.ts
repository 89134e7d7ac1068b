import { ECSClient } from '@aws-sdk/client-ecs';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { azureAppsSource } from './azure-apps';
import { cloudRunSource } from './cloud-run';
import type { SourceSettings } from './config';
import { dockerSource } from './docker';
import { ecsSource } from './ecs';
import type { Network } from './http';
import { clusterOf, kubernetesSource } from './kubernetes-client';
import { lambdaSource } from './lambda';
import type { Source } from './report';
import { s3Source } from './s3';
import { serverSource } from './server';
import { azureToken, googleToken } from './tokens';

/** How often AWS's clients try a request. They wait longer each time they are throttled. */
const ATTEMPTS = 6;

type Env = Readonly<Record<string, string | undefined>>;

/** @param note tells what a source leaves out, in one sentence */
export function sourceOf(
  settings: SourceSettings,
  network: Network,
  env: Env,
  note: (sentence: string) => void = () => undefined,
): Source {
  switch (settings.kind) {
    case 'K8S': {
      const source = kubernetesSource(clusterOf(env), settings.namespaces, settings.containers);
      return settings.watch ? source : { collect: source.collect };
    }
    case 'ECS':
      return ecsSource(new ECSClient(awsOptions(settings.aws, network)), settings);
    case 'lambda':
      return lambdaSource(new LambdaClient(awsOptions(settings.aws, network)), settings.functions);
    case 'S3': {
      // Stores that are not AWS have no host name for each bucket.
      const forcePathStyle = settings.aws.endpoint !== null;
      return s3Source(
        new S3Client({ ...awsOptions(settings.aws, network), forcePathStyle }),
        settings.bucket,
        settings.keys,
      );
    }
    case 'docker':
      return dockerSource(settings.socket, settings.containers, note);
    case 'server':
      return serverSource(settings.paths);
    case 'cloud-run':
      return cloudRunSource({ ...settings, network, token: googleToken(env, network) });
    case 'azure-apps':
      return azureAppsSource({ ...settings, network, token: azureToken(env, network, settings.endpoint) });
  }
}

/** Credentials come from the same places as in AWS's tools: the environment, files, the role of the pod or task, the machine. */
function awsOptions({ region, profile, endpoint }: Extract<SourceSettings, { kind: 'ECS' }>['aws'], network: Network) {
  return {
    maxAttempts: ATTEMPTS,
    retryMode: 'adaptive',
    requestHandler: { ...network, requestTimeout: 30_000, connectionTimeout: 5_000 },
    ...(region === null ? {} : { region }),
    ...(profile === null ? {} : { profile }),
    ...(endpoint === null ? {} : { endpoint }),
  };
}
