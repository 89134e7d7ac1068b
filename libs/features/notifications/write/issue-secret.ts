import { streams } from '@assurance/contracts/events/streams';
import type { FeatureRefusal } from '@assurance/contracts/http/refusals';
import { freshSecret } from '@assurance/event-sourcing/command/fresh-secret';
import { Streams } from '@assurance/event-sourcing/command/streams';
import { IDS, type Ids } from '@assurance/event-sourcing/tokens';
import { commitAuthorOf, type Caller } from '@assurance/http/command-caller';
import { commandBy } from '@assurance/http/commands';
import { err, ok, refused, type Result } from '@assurance/kernel';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { decideIssueSigningSecret, type IssueSigningSecret } from '../domain/issue-signing-secret';
import { notification } from '../domain/notification';
import { secretsOf } from '../domain/signing';
import { targetConfig } from '../domain/target-config';
import { TargetConfigs } from './configs';
import { Secrets } from './secrets';

/** The secret. It is shown only once. */
export interface IssuedSecret {
  readonly secret: string;
  /** The time until which the previous secret also signs (integer milliseconds); null if there is none. */
  readonly previousUntil: number | null;
}

/** The owner of a target: a notification, by number, or a target configuration, by name. */
export type TargetOwner = { readonly notification: number } | { readonly config: string };

/** Gives a webhook target a secret that signs its messages. */
export class IssueSecret extends commandBy<{ owner: TargetOwner; request: IssueSigningSecret }, IssuedSecret>() {}

@CommandHandler(IssueSecret)
export class IssueSecretHandler implements ICommandHandler<IssueSecret> {
  constructor(
    private readonly streams: Streams,
    private readonly configs: TargetConfigs,
    private readonly secrets: Secrets,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  async execute({ caller, owner, request }: IssueSecret): Promise<Result<IssuedSecret, FeatureRefusal>> {
    const { org } = caller;
    const text = `whsec_${freshSecret(this.ids)}`;
    const secret = await this.secrets.store(org.id, text);
    let before: readonly { readonly id: string }[] = [];
    const outcome =
      'notification' in owner
        ? await this.streams.run(
            notification,
            streams.notification(org.id, owner.notification),
            commitAuthorOf(caller),
            ({ state }, at) => {
              if (state === null || state.deleted) return refused<FeatureRefusal>({ kind: 'notification-unknown' });
              before = secretsOf(state);
              return decideIssueSigningSecret(state, request, { secret, at });
            },
          )
        : await this.inConfig(caller, owner.config, (state, at) => {
            before = secretsOf(state);
            return decideIssueSigningSecret(state, request, { secret, at });
          });
    if (outcome.kind !== 'committed') {
      await this.secrets.remove([secret]);
      if (outcome.kind === 'refused') return err(outcome.refusal);
      throw new Error('a secret that is issued is always an event');
    }
    const neededIds = new Set(secretsOf(outcome.state).map(({ id }) => id));
    await this.secrets.remove(before.flatMap(({ id }) => (neededIds.has(id) ? [] : { id, last4: '' })));
    const [event] = outcome.events;
    return ok({ secret: text, previousUntil: event?.type === 'SigningSecretIssued' ? event.data.previousUntil : null });
  }

  private async inConfig(
    caller: Caller,
    name: string,
    decide: (
      state: Parameters<typeof decideIssueSigningSecret>[0],
      at: number,
    ) => ReturnType<typeof decideIssueSigningSecret>,
  ) {
    const unknownConfig: FeatureRefusal = { kind: 'target-config-unknown', name, org: caller.org.name };
    const id = await this.configs.find(caller.org.id, name);
    if (id === null) return { kind: 'refused', refusal: unknownConfig } as const;
    return this.streams.run(targetConfig, streams.targetConfig(id), commitAuthorOf(caller), ({ state }, at) =>
      state === null || state.deleted ? refused<FeatureRefusal>(unknownConfig) : decide(state, at),
    );
  }
}
