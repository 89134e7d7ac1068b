import { badRequest, echo, input, invalidFields, notFound } from '@assurance/kernel';

export const notificationRefusals = {
  'notification-unknown': () => notFound('Action not found'),
  'target-config-unknown': ({ name, org }: { name: string; org: string }) =>
    notFound(`Target configuration '${echo(name)}' does not exist in organization '${echo(org)}'`),
  'target-config-used': ({ name, by }: { name: string; by: string }) =>
    badRequest(`Target configuration '${echo(name)}' is used by notification '${echo(by)}'`),
  'target-unsigned': ({ target }: { target: string }) =>
    invalidFields({ target: `There is no webhook target with this id ${input(target)}` }),
};
