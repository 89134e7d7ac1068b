import { TRIGGERS, type Trigger } from '@assurance/contracts-events';
import { PATTERNS } from '../patterns';
import { NAME_MAX } from './limits';
import { all, Doc, Optional, Text, TextList, WholeNumber, Word, WordList } from './rules';
import { type ChannelTargetInput, ChannelTargets, type TargetInput, Targets } from './targets';

const ENVIRONMENTS_MAX = 400;

/** Fields of creation and replacement. */
class NotificationInput {
  @Doc('Names of the environments whose events it sends; none if empty.', ['production'])
  @Optional(TextList({ max: ENVIRONMENTS_MAX }))
  environments?: readonly string[];

  @Doc('Always `env`.')
  @Optional(Word(['env']))
  type?: 'env';

  @Targets()
  targets!: readonly TargetInput[];
}

const Name = () =>
  all(Doc('Name, unique in the organization.', 'shop-alerts'), Text({ pattern: PATTERNS.notification, max: NAME_MAX }));
const Triggers = () =>
  all(Doc('The triggers of messages.', ['ON_STARTED_ARTIFACT', 'ON_NON_COMPLIANT_ENV']), WordList(TRIGGERS));

/** `PUT /organizations/{org}/environments_notifications/{notification_number}` (specification 4.2). */
export class NotificationPutInput extends NotificationInput {
  @Name()
  @Optional()
  name?: string;

  @Triggers()
  @Optional()
  triggers?: readonly Trigger[];
}

/** `PUT /organizations/{org}/environments_notifications`. */
export class NotificationCreateInput extends NotificationInput {
  @Name()
  name!: string;

  @Triggers()
  triggers!: readonly Trigger[];
}

/** `PUT /organizations/{org}/notification_target_configs`. */
export class TargetConfigPutInput {
  @Doc('Name, unique in the organization. Notifications refer to it.', 'on-call')
  @Text({ pattern: PATTERNS.flow, max: NAME_MAX })
  name!: string;

  @ChannelTargets()
  targets!: readonly ChannelTargetInput[];
}

/** `POST …/signing_secret`. */
export class SigningSecretInput {
  @Doc('Id of a webhook target, as in answers.', '018bcfe5-6800-7000-8000-00000000000a')
  @Text({ max: NAME_MAX })
  target!: string;

  @Doc('For how many seconds the previous secret signs messages too. Default: a day; at most 30 days.', 3600)
  @Optional(WholeNumber(0))
  grace_seconds?: number;
}
